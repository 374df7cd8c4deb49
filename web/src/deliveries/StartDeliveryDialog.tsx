import { ApiError, estimateDelivery } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import { CalendarClock, MapPin } from 'lucide-react';
import { HandlingList } from '../packages/HandlingList.tsx';
import { TrackingId } from '../packages/TrackingId.tsx';
import { useNow } from '../platform/clock.ts';
import { formatMoment } from '../platform/formats.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { DescriptionItem } from '../ui/DescriptionItem.tsx';
import { useStartDelivery } from './queries.ts';
import { useRequireDriver } from './useRequireDriver.ts';

interface StartDeliveryDialogProps {
  delivery: Delivery;
  open: boolean;
  onClose: () => void;
}

export function StartDeliveryDialog({ delivery, open, onClose }: StartDeliveryDialogProps) {
  const start = useStartDelivery(delivery.id);
  const requireDriver = useRequireDriver();
  const now = useNow();
  const confirm = () => {
    if (!requireDriver('start')) return;
    start.mutate(undefined, {
      onSuccess: () => {
        toast({ title: 'Delivery Started', description: 'You have successfully started this delivery' });
        onClose();
      },
      onError: (error) => {
        toast({ title: 'Error', description: error.message || 'Failed to start delivery', variant: 'destructive' });
        // 4xx: another driver has it, or it is gone, so a retry is pointless. After a network error it is not: stay open.
        if (error instanceof ApiError && error.status >= 400 && error.status < 500) onClose();
      },
    });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={start}
      title="Confirm Start Delivery"
      description="You take this delivery on. The recipient's name and address are shown to you afterwards."
      footer={
        <>
          <DialogClose />
          <Button size="xl" loading={start.isPending} loadingText="Starting..." onClick={confirm}>
            Start Delivery
          </Button>
        </>
      }
    >
      <p className="text-body font-semibold wrap-anywhere">{delivery.packageName}</p>
      <p className="mb-4 text-ink-3">
        <TrackingId id={delivery.trackingId} />
      </p>
      <dl className="flex flex-col gap-4">
        <DescriptionItem name="Destination" icon={<MapPin aria-hidden="true" />}>
          {delivery.location ?? 'Not specified'}
        </DescriptionItem>
        <DescriptionItem name="Estimated delivery (ETA)" icon={<CalendarClock aria-hidden="true" />}>
          <span className="figures">
            {now !== null && formatMoment(estimateDelivery(new Date(now), delivery.window))}
          </span>
        </DescriptionItem>
      </dl>
      <div className="mt-4 empty:hidden">
        <HandlingList handling={delivery.handling} />
      </div>
    </Dialog>
  );
}
