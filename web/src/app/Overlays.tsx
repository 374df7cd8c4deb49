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
const tell = (error?: Error) =>
  toast({ title: 'Error', description: error?.message ?? unreachable, variant: 'destructive' });

/** Over every page, each loaded when it is first needed. */
export function Overlays({ onLogout }: { onLogout: () => void }) {
  const shown = useStore(overlay);
  const onAnswer = useStore(leavePrompt);
  const onPassword = useStore(passwordPrompt);
  usePreload(loadLeaveDialog);
  const giveUp = (error: Error) => {
    closeOverlay();
    tell(error);
  };
  return (
    <>
      {shown === 'palette' && <CommandPalette onLogout={onLogout} onFailed={giveUp} />}
      {shown === 'shortcuts' && <ShortcutSheet onFailed={giveUp} />}
      {onPassword && (
        <ConfirmPasswordDialog
          onAnswer={onPassword}
          onFailed={() => {
            onPassword(false);
            tell();
          }}
        />
      )}
      {onAnswer && (
        <LeaveDialog
          onAnswer={onAnswer}
          // Without the question nothing is lost: the page stays.
          onFailed={(error) => {
            onAnswer(false);
            tell(error);
          }}
        />
      )}
    </>
  );
}
