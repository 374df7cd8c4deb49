import { isFinal, reopenableHours, statusAfter } from '@waybill/contract';
import type { Package } from '@waybill/contract';
import { HandHelping, KeyRound, RotateCcw } from 'lucide-react';
import { useToday } from '../platform/clock.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { Button } from '../ui/Button.tsx';
import { useDialogState } from '../ui/useDialogState.ts';

const load = () => importWithRetry(() => import('./DepotDialogs.tsx'));
const CollectDialog = lazyComponent(() => load().then((module) => module.CollectDialog));
const ReleasePinDialog = lazyComponent(() => load().then((module) => module.ReleasePinDialog));
const ReopenDialog = lazyComponent(() => load().then((module) => module.ReopenDialog));

const icon = 'size-5';

export interface DepotButtonsProps {
  pkg: Package;
  /** Called after success and failure. */
  onSettled: () => void;
}

/** What staff does to a delivery without its driver: hand it over at the depot, and take back a completion. */
export function DepotButtons({ pkg, onSettled }: DepotButtonsProps) {
  const dialog = useDialogState<'collect' | 'pin' | 'reopen'>();
  const now = useToday();
  const shared = { pkg, open: dialog.open, onClose: dialog.close, onSettled };
  const isRecent =
    pkg.completedAt !== null && Date.parse(pkg.completedAt) > now.getTime() - reopenableHours * 3_600_000;
  return (
    <>
      {statusAfter('collect', pkg.status) && (
        <Button
          variant={pkg.nextStep?.kind === 'collect' ? 'primary' : 'secondary'}
          fullWidth
          icon={<HandHelping aria-hidden="true" className={icon} />}
          onClick={() => dialog.show('collect')}
        >
          Collected at the depot
        </Button>
      )}
      {pkg.pinState !== null && pkg.pinState !== 'waived' && !isFinal(pkg.status) && (
        <Button
          variant="secondary"
          fullWidth
          icon={<KeyRound aria-hidden="true" className={icon} />}
          onClick={() => dialog.show('pin')}
        >
          Release the PIN
        </Button>
      )}
      {statusAfter('reopen', pkg.status) && isRecent && (
        <Button
          variant="secondary"
          fullWidth
          icon={<RotateCcw aria-hidden="true" className={icon} />}
          onClick={() => dialog.show('reopen')}
        >
          Reopen delivery
        </Button>
      )}
      {dialog.shown === 'collect' && <CollectDialog key={dialog.opening} {...shared} />}
      {dialog.shown === 'pin' && <ReleasePinDialog key={dialog.opening} {...shared} />}
      {dialog.shown === 'reopen' && <ReopenDialog key={dialog.opening} {...shared} />}
    </>
  );
}
