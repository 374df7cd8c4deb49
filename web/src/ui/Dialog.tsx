import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { flushSync } from 'react-dom';
import { translated } from '../platform/texts.ts';
import { useUnsavedChanges } from '../platform/unsaved-changes.ts';
import { unsentNotice } from '../platform/upload-errors.ts';
import { classes } from './classes.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { dialogBackdropClasses, dialogFootClasses, dialogPopupClasses } from './dialog-classes.ts';
import type { DialogPlacement } from './dialog-classes.ts';
import { IconButton } from './IconButton.tsx';
import { reachableWhenScrolling } from './scrollable.ts';
import { drawDown } from './start-drag.ts';
import { UnsentNote } from './UnsentNote.tsx';

interface DialogProps {
  open: boolean;
  /** Called with false by Escape, the close button and a click outside. */
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** Buttons at the bottom, the primary one last; they stay visible while the content scrolls. */
  footer?: ReactNode;
  /** `center` (a bottom sheet on phones) or `bottom`: a sheet on every screen. */
  placement?: DialogPlacement;
  /** `sm` 400 px, `md` 512 px, `lg` 720 px, `xl` 1200 px. */
  size?: 'sm' | 'md' | 'lg' | 'xl';
  /** Gets the initial focus instead of the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** There are unsaved changes: Escape, the close buttons and a click outside ask first. Closing by the caller does not. */
  unsaved?: boolean;
  /** The mutation of the primary button. Closing the dialog while it runs cancels it. */
  act?: { cancel: () => void };
  /** Of the close icon, on a page in other languages. */
  closeLabel?: string;
  children?: ReactNode;
}

/** A modal dialog: traps the focus, restores it on closing, closes on Escape, and on a phone when its head is drawn down. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  footer,
  placement = 'center',
  size = 'md',
  initialFocus,
  unsaved = false,
  act,
  closeLabel = 'Close',
  children,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  const [confirming, setConfirming] = useState(false);
  const change = (next: boolean) => {
    if (!next) act?.cancel();
    onOpenChange(next);
  };
  useUnsavedChanges(open && unsaved);
  // Clear the note of an earlier mutation: the dialog shows only its own.
  useEffect(() => {
    if (open) unsentNotice.set(null);
  }, [open]);
  const discard = () => {
    setConfirming(false);
    change(false);
  };
  const ask = (next: boolean) => (unsaved && !next ? setConfirming(true) : change(next));
  const closeByHand = () => {
    flushSync(() => ask(false));
    return !unsaved;
  };
  return (
    <BaseDialog.Root open={open} onOpenChange={ask}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={classes(dialogBackdropClasses, 'z-40')} />
        <BaseDialog.Popup ref={popup} initialFocus={initialFocus} className={dialogPopupClasses(placement, size)}>
          <span
            aria-hidden="true"
            className="absolute top-1.5 left-1/2 h-1 w-9 -translate-x-1/2 rounded-full bg-line md:hidden"
          />
          <div
            className="flex items-start justify-between gap-4 px-5 pt-4 max-md:touch-none md:px-6 md:pt-5"
            onPointerDown={(event) => drawDown(event, popup.current, closeByHand)}
          >
            <div className="min-w-0 pt-1.5">
              <BaseDialog.Title className="text-section font-semibold text-ink">{title}</BaseDialog.Title>
              {description && (
                <BaseDialog.Description className="mt-1 text-ui text-ink-2">{description}</BaseDialog.Description>
              )}
            </div>
            {/* The cross ends where the fields do. */}
            <span className="-mr-3 flex">
              <BaseDialog.Close render={<IconButton label={closeLabel} icon={<X />} />} />
            </span>
          </div>
          <div
            ref={reachableWhenScrolling}
            className={classes(
              'min-h-0 scroll-shade grow overflow-y-auto overscroll-contain px-5 py-4 empty:pb-0 md:px-6',
              !footer && 'rounded-b-[inherit] pb-6',
            )}
          >
            {children}
          </div>
          {open && (
            <div className="px-5 pb-4 empty:hidden md:px-6">
              <UnsentNote />
            </div>
          )}
          {footer && (
            <div
              className={classes(
                dialogFootClasses,
                'border-t border-line px-5 pt-4 pb-[max(1rem,env(safe-area-inset-bottom))] md:px-6',
              )}
            >
              {footer}
            </div>
          )}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
      {unsaved && (
        <ConfirmDialog
          open={open && confirming}
          onOpenChange={setConfirming}
          title={translated('Discard changes?')}
          description={translated('What you have typed will be lost.')}
          confirmLabel={translated('Discard')}
          cancelLabel={translated('Keep editing')}
          danger
          onConfirm={discard}
        />
      )}
    </BaseDialog.Root>
  );
}
