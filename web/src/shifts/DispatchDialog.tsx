import { FailDeliveryDialog } from '../deliveries/FailDeliveryDialog.tsx';
import { AssignDriverDialog } from './AssignDriverDialog.tsx';
import type { Dispatch } from './dispatch.ts';

interface DispatchDialogProps {
  dispatch: Dispatch;
  open: boolean;
  onClose: () => void;
  /** Called whatever came of it: somebody else may have been quicker. */
  onSettled: () => void;
}

/** What DispatchMenu asks for. */
export function DispatchDialog({ dispatch: { action, pkg }, open, onClose, onSettled }: DispatchDialogProps) {
  const shared = { open, onClose, onSettled };
  if (action === 'assign') return <AssignDriverDialog {...shared} pkg={pkg} />;
  return <FailDeliveryDialog {...shared} delivery={{ id: pkg.id, packageName: pkg.name }} />;
}
