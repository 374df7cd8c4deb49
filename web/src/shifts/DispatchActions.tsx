import { statusAfter } from '@waybill/contract';
import { PackageX, UserRoundPlus } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { useCan } from '../users/useCan.ts';
import type { AssignablePackage, DispatchAction } from './dispatch.ts';
import { DispatchDialog } from './LazyDispatchDialog.tsx';

interface DispatchActionsProps {
  pkg: AssignablePackage;
  /** Whether a driver is what the package waits for. */
  isFirst: boolean;
  onSettled: () => void;
}

/** DispatchMenu's actions as buttons, for the page of a single package. */
export function DispatchActions({ pkg, isFirst, onSettled }: DispatchActionsProps) {
  const may = useCan({ permissions: ['deliveries.assign'] });
  const dialog = useDialogState<DispatchAction>();
  const onTheRoad = statusAfter('fail', pkg.status) !== null;
  return (
    <>
      {may && statusAfter('assign', pkg.status) && (
        <Button
          variant={isFirst && !onTheRoad ? 'primary' : 'secondary'}
          fullWidth
          icon={<UserRoundPlus aria-hidden="true" className="size-5" />}
          onClick={() => dialog.show('assign')}
        >
          {onTheRoad ? 'Assign another driver' : 'Assign driver'}
        </Button>
      )}
      {may && onTheRoad && (
        <Button
          variant="secondary"
          fullWidth
          icon={<PackageX aria-hidden="true" className="size-5" />}
          onClick={() => dialog.show('take back')}
        >
          Delivery failed
        </Button>
      )}
      {dialog.shown && (
        <DispatchDialog
          key={dialog.opening}
          dispatch={{ action: dialog.shown, pkg }}
          open={dialog.open}
          onClose={dialog.close}
          onSettled={onSettled}
        />
      )}
    </>
  );
}
