import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { classes } from './classes.ts';
import { dialogBackdropClasses, dialogFootClasses, dialogPopupClasses } from './dialog-classes.ts';
import { UnsentNote } from './UnsentNote.tsx';

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** The consequence, in one sentence. */
  description?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  danger?: boolean;
  /** The mutation that confirming starts. Closing the dialog while it runs cancels it; on success the caller closes the dialog. */
  act?: { cancel: () => void; isPending: boolean };
  /** Data needed for the decision is still loading. */
  loading?: boolean;
  loadingText?: string;
  /** Why the action failed, shown in the dialog, which stays open. */
  error?: string;
  onConfirm: () => void;
  children?: ReactNode;
}

/** Asks for confirmation before an irreversible action. A click outside does not close it; Escape and Cancel do. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  cancelLabel = 'Cancel',
  danger,
  act,
  loading = false,
  loadingText,
  error,
  onConfirm,
  children,
}: ConfirmDialogProps) {
  const change = (next: boolean) => {
    if (!next) act?.cancel();
    onOpenChange(next);
  };
  return (
    <AlertDialog.Root open={open} onOpenChange={change}>
      <AlertDialog.Portal>
        {/* forceRender: Base UI omits the backdrop of a nested dialog. */}
        <AlertDialog.Backdrop forceRender className={classes(dialogBackdropClasses, 'z-50')} />
        <AlertDialog.Popup className={dialogPopupClasses('center', 'sm')}>
          <div className="min-h-0 overflow-y-auto px-5 pt-6 pb-5 md:px-6">
            <AlertDialog.Title className="text-section font-semibold text-ink">{title}</AlertDialog.Title>
            {description && (
              <AlertDialog.Description className="mt-2 text-ui text-ink-2">{description}</AlertDialog.Description>
            )}
            {children && <div className="mt-4">{children}</div>}
            {error && (
              <p role="alert" className="mt-4 text-ui text-danger">
                {error}
              </p>
            )}
            {error && (
              <div className="mt-2 empty:hidden">
                <UnsentNote />
              </div>
            )}
          </div>
          <div className={classes(dialogFootClasses, 'px-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] md:px-6')}>
            <Button variant="secondary" onClick={() => change(false)}>
              {cancelLabel}
            </Button>
            <Button
              variant={danger ? 'danger' : 'primary'}
              loading={loading || act?.isPending}
              loadingText={loadingText}
              onClick={onConfirm}
            >
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
