import { FailDeliveryDialog } from '../deliveries/FailDeliveryDialog.tsx';
import { AssignDriverDialog } from './AssignDriverDialog.tsx';
import type { Dispatch } from './dispatch.ts';

interface DispatchDialogProps {
  dispatch: Dispatch;
  open: boolean;
  onClose: () => void;
  /** Called after success and failure: the package may have changed meanwhile. */
  onSettled: () => void;
}

/** The dialog of a dispatch action. */
export function DispatchDialog({ dispatch: { action, pkg }, open, onClose, onSettled }: DispatchDialogProps) {
  const shared = { open, onClose, onSettled };
  if (action === 'assign') return <AssignDriverDialog {...shared} pkg={pkg} />;
  return <FailDeliveryDialog {...shared} delivery={{ id: pkg.id, packageName: pkg.name }} />;
}
