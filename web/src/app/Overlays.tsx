import { LazyScanDialog } from '../labels/ScanButton.tsx';
import { lazyComponent, usePreload } from '../platform/lazy-component.tsx';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { passwordPrompt } from '../platform/password-prompt.ts';
import { useStore } from '../platform/store.ts';
import { toast } from '../platform/toasts.ts';
import { leavePrompt } from './navigation-guard.ts';
import { closeOverlay, overlay } from './overlays.ts';

const CommandPalette = lazyComponent(() =>
  importWithRetry(() => import('./CommandPalette.tsx')).then((module) => module.CommandPalette),
);
const ShortcutSheet = lazyComponent(() =>
  importWithRetry(() => import('./ShortcutSheet.tsx')).then((module) => module.ShortcutSheet),
);
const ConfirmPasswordDialog = lazyComponent(() =>
  importWithRetry(() => import('../users/ConfirmPasswordDialog.tsx')).then((module) => module.ConfirmPasswordDialog),
);
const loadLeaveDialog = () => importWithRetry(() => import('./LeaveDialog.tsx')).then((module) => module.LeaveDialog);
const LeaveDialog = lazyComponent(loadLeaveDialog);

const unreachable = 'The server cannot be reached. Please try again.';
const showError = (error?: Error) =>
  toast({ title: 'Error', description: error?.message ?? unreachable, variant: 'destructive' });

interface OverlaysProps {
  onLogout: () => void;
  /** A label was scanned. */
  onLabel: (trackingId: string) => void;
}

/** The overlays over every page, each loaded when it is first opened. */
export function Overlays({ onLogout, onLabel }: OverlaysProps) {
  const shown = useStore(overlay);
  const onAnswer = useStore(leavePrompt);
  const onPassword = useStore(passwordPrompt);
  usePreload(loadLeaveDialog);
  const closeWithError = (error: Error) => {
    closeOverlay();
    showError(error);
  };
  return (
    <>
      {shown === 'palette' && <CommandPalette onLogout={onLogout} onFailed={closeWithError} />}
      {shown === 'shortcuts' && <ShortcutSheet onFailed={closeWithError} />}
      {shown === 'scanner' && (
        <LazyScanDialog
          onFound={(trackingId) => {
            closeOverlay();
            onLabel(trackingId);
          }}
          onClose={closeOverlay}
          onFailed={closeWithError}
        />
      )}
      {onPassword && (
        <ConfirmPasswordDialog
          onAnswer={onPassword}
          onFailed={() => {
            onPassword(false);
            showError();
          }}
        />
      )}
      {onAnswer && (
        <LeaveDialog
          onAnswer={onAnswer}
          // If the dialog cannot be loaded, stay on the page, so that no input is lost.
          onFailed={(error) => {
            onAnswer(false);
            showError(error);
          }}
        />
      )}
    </>
  );
}
