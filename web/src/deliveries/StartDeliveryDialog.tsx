import { translated } from '../platform/texts.ts';
import { texts } from './texts.ts';
import { ApiError, estimateDelivery, fill } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import { CalendarClock, MapPin } from 'lucide-react';
import { HandlingList } from '../packages/HandlingList.tsx';
import { TrackingId } from '../packages/TrackingId.tsx';
import { useNow } from '../platform/clock.ts';
import { formatDay, formatMoment } from '../platform/formats.ts';
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
        toast({ title: texts.startDialog.done, description: texts.startDialog.doneText });
        onClose();
      },
      onError: (error) => {
        toast({
          title: texts.error,
          description: translated(error.message) || texts.startDialog.failed,
          variant: 'destructive',
        });
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
      title={texts.startDialog.title}
      closeLabel={texts.close}
      description={texts.startDialog.text}
      footer={
        <>
          <DialogClose>{texts.cancel}</DialogClose>
          <Button size="xl" loading={start.isPending} loadingText={texts.startDialog.starting} onClick={confirm}>
            {texts.start}
          </Button>
        </>
      }
    >
      <p className="text-body font-semibold wrap-anywhere">{delivery.packageName}</p>
      <p className="mb-4 text-ink-3">
        <TrackingId
          id={delivery.trackingId}
          copyLabel={fill(texts.copyId, { id: delivery.trackingId })}
          copiedLabel={texts.copied}
        />
      </p>
      <dl className="flex flex-col gap-4">
        <DescriptionItem name={texts.names.destination} icon={<MapPin aria-hidden="true" />}>
          {delivery.location ?? texts.notSpecified}
        </DescriptionItem>
        <DescriptionItem name={texts.startDialog.eta} icon={<CalendarClock aria-hidden="true" />}>
          <span className="figures">
            {now !== null && formatMoment(estimateDelivery(new Date(now), delivery.window))}
          </span>
          {delivery.eta && !delivery.window && (
            <p className="font-normal text-ink-3 figures">
              {fill(texts.startDialog.etaText, { day: formatDay(delivery.eta) })}
            </p>
          )}
        </DescriptionItem>
      </dl>
      <div className="mt-4 empty:hidden">
        <HandlingList handling={delivery.handling} words={texts} />
      </div>
    </Dialog>
  );
}
