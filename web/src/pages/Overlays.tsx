import { Suspense, lazy } from 'react';
import { useStore } from '../platform/store.ts';
import { leaveQuestion } from './leaving.ts';
import { overlay } from './overlays.ts';

const CommandPalette = lazy(() => import('./CommandPalette.tsx').then((m) => ({ default: m.CommandPalette })));
const ShortcutSheet = lazy(() => import('./ShortcutSheet.tsx').then((m) => ({ default: m.ShortcutSheet })));
const LeaveDialog = lazy(() => import('./LeaveDialog.tsx').then((m) => ({ default: m.LeaveDialog })));

/** Over every page, each loaded when it is first needed. */
export function Overlays({ onLogout }: { onLogout: () => void }) {
  const shown = useStore(overlay);
  const onAnswer = useStore(leaveQuestion);
  return (
    <Suspense>
      {shown === 'palette' && <CommandPalette onLogout={onLogout} />}
      {shown === 'shortcuts' && <ShortcutSheet />}
      {onAnswer && <LeaveDialog onAnswer={onAnswer} />}
    </Suspense>
  );
}
