import { texts } from '../../deliveries/texts.ts';
import type { Delivery, Route } from '@waybill/contract';
import { CompleteDeliveryDialog } from '../../deliveries/CompleteDeliveryDialog.tsx';
import { DeliveryDetailsDialog } from '../../deliveries/DeliveryDetailsDialog.tsx';
import type { DeliveryAction } from '../../deliveries/delivery-dialogs.ts';
import { FailDeliveryDialog } from '../../deliveries/FailDeliveryDialog.tsx';
import { refreshDeliveries } from '../../deliveries/steps.ts';
import { ReportLocationDialog } from '../../deliveries/ReportLocationDialog.tsx';
import { StartDeliveryDialog } from '../../deliveries/StartDeliveryDialog.tsx';
import type { HandedOver } from '../../deliveries/SuccessMoment.tsx';
import { ReportIssueDialog } from '../../incidents/ReportIssueDialog.tsx';
import { api } from '../../platform/api.ts';
import { atDoorOf } from '../../routes/rounds.ts';
import { DoorPackages } from './RoundParts.tsx';

// One file with them: both are loaded beside the page.
export * from './Round.ts';
export { AllDone } from '../../deliveries/AllDone.tsx';
export { SuccessMoment } from '../../deliveries/SuccessMoment.tsx';
export { PositionSharing } from '../../positions/PositionSharing.tsx';
export { MyShift } from '../../shifts/MyShift.tsx';

interface DriverDialogsProps {
  /** The dialog that is open, or was. */
  shown: { action: DeliveryAction; delivery: Delivery } | null;
  /** Counts the openings: each starts with an empty form. */
  opening: number;
  open: boolean;
  phone: boolean;
  /** On the road. */
  round: Route | null;
  onClose: () => void;
  onStart: (delivery: Delivery) => void;
  onCompleted: (what: HandedOver) => void;
}

/** The dialogs of all actions on a driver's deliveries. */
export function DriverDialogs({
  shown,
  opening,
  open,
  phone,
  round,
  onClose,
  onStart,
  onCompleted,
}: DriverDialogsProps) {
  const { action, delivery } = shown ?? {};
  const shared = { open, onClose };
  const atDoor = atDoorOf(round, delivery?.id ?? '');
  return (
    <>
      {delivery && action === 'start' && <StartDeliveryDialog key={opening} {...shared} delivery={delivery} />}
      {delivery && action === 'location' && <ReportLocationDialog key={opening} {...shared} delivery={delivery} />}
      {delivery && action === 'complete' && (
        <CompleteDeliveryDialog
          key={opening}
          {...shared}
          {...atDoor}
          delivery={delivery}
          phone={phone}
          renderPackages={(chosen, onChosen) => (
            <DoorPackages {...atDoor} delivery={delivery} chosen={chosen} onChosen={onChosen} />
          )}
          onCompleted={onCompleted}
        />
      )}
      {delivery && action === 'fail' && (
        <FailDeliveryDialog
          words={texts}
          key={opening}
          {...shared}
          delivery={delivery}
          onRound={round?.stops.some(({ packageId }) => packageId === delivery.id)}
        />
      )}
      {delivery && action === 'details' && (
        <DeliveryDetailsDialog key={opening} {...shared} delivery={delivery} onStart={() => onStart(delivery)} />
      )}
      {delivery && action === 'issue' && (
        <ReportIssueDialog
          words={texts}
          key={opening}
          {...shared}
          about={{ id: delivery.id, name: delivery.packageName }}
          send={(issue, options) =>
            api.incidents.reportOnDelivery({ params: { id: delivery.id }, body: issue, ...options })
          }
          onSent={refreshDeliveries}
        />
      )}
    </>
  );
}
