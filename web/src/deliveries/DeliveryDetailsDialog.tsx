import { formatLocale } from '../platform/format-language.ts';
import { dueText } from './due.ts';
import { fill, withTheDriver } from '@waybill/contract';
import { failureText } from './failure-text.ts';
import { texts } from './texts.ts';
import type { Delivery } from '@waybill/contract';
import { RotateCcw, TriangleAlert } from 'lucide-react';
import { capitalized, expectedText } from '../packages/arrival.ts';
import { HandlingList } from '../packages/HandlingList.tsx';
import { handlingLabels } from '../packages/handling.ts';
import { formatWindow } from '../packages/formats.ts';
import { TrackingId } from '../packages/TrackingId.tsx';
import { useToday } from '../platform/clock.ts';
import { formatDay, formatMoment, formatWeight } from '../platform/formats.ts';
import { texts as shell, translated } from '../platform/texts.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DescriptionItem } from '../ui/DescriptionItem.tsx';
import { DeliveryBadge } from './DeliveryBadge.tsx';
import { Navigate } from './Navigate.tsx';

interface DeliveryDetailsDialogProps {
  delivery: Delivery;
  open: boolean;
  onClose: () => void;
  onStart: () => void;
}

/** What a driver may see of a package; less before the start. */
export function DeliveryDetailsDialog({ delivery, open, onClose, onStart }: DeliveryDetailsDialogProps) {
  const pending = delivery.status === 'pending';
  const now = useToday();
  const expected =
    delivery.status === 'in transit' && delivery.estimatedDeliveryTime
      ? capitalized(
          formatLocale === null
            ? expectedText(delivery.estimatedDeliveryTime, { now })
            : (dueText({ window: null, estimatedDeliveryTime: delivery.estimatedDeliveryTime }, now) ?? ''),
        )
      : null;
  const details: [name: string, value: string | null][] = [
    [texts.names.category, translated(delivery.category)],
    [texts.names.weight, formatWeight(delivery.weight)],
    [texts.names.recipient, pending ? texts.shownAfterStart : delivery.recipientName],
    [texts.names.phone, delivery.recipientPhone],
    [texts.names.reference, delivery.reference],
    [
      pending ? texts.names.destination : texts.names.location,
      delivery.location === withTheDriver ? shell.track.withDriver : (delivery.location ?? texts.notSpecified),
    ],
    [texts.names.preferredTime, delivery.window && formatWindow(delivery.window)],
    [texts.names.instructions, delivery.instructions],
    [texts.names.eta, pending ? delivery.eta && formatDay(delivery.eta) : expected],
    [texts.names.created, formatMoment(delivery.createdAt)],
    [texts.names.started, delivery.startTime && formatMoment(delivery.startTime)],
    [texts.names.completed, delivery.completedAt && formatMoment(delivery.completedAt)],
    [texts.names.receivedBy, delivery.receivedBy],
  ];
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={texts.packageDetails}
      closeLabel={texts.close}
      footer={
        <>
          <Button variant="secondary" size="lg" onClick={onClose}>
            {texts.close}
          </Button>
          {pending && (
            <Button size="xl" onClick={onStart}>
              {texts.start}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-body font-semibold wrap-anywhere">{delivery.packageName}</h3>
        <DeliveryBadge delivery={delivery} />
      </div>
      <p className="mt-1 text-ui whitespace-pre-line text-ink-2 wrap-anywhere">{delivery.description}</p>
      {delivery.attempts > 0 && delivery.status === 'in transit' && (
        <div className="mt-4">
          <Banner tone="yellow" icon={<RotateCcw />} title={fill(texts.attempt, { number: delivery.attempts + 1 })}>
            {delivery.lastFailure !== null && (
              <span className="wrap-anywhere">
                {fill(texts.lastTime, { reason: failureText(delivery.lastFailure) })}
              </span>
            )}
          </Banner>
        </div>
      )}
      {delivery.issue && delivery.status !== 'delivered' && (
        <div className="mt-4">
          <Banner tone="yellow" icon={<TriangleAlert />} title={texts.issueReported}>
            <span className="wrap-anywhere">{delivery.issue}</span>
          </Banner>
        </div>
      )}
      <dl className="mt-5 grid grid-cols-2 gap-x-6 gap-y-4">
        <DescriptionItem name={texts.names.trackingId}>
          <TrackingId
            id={delivery.trackingId}
            copyLabel={fill(texts.copyId, { id: delivery.trackingId })}
            copiedLabel={texts.copied}
          />
        </DescriptionItem>
        {delivery.recipientAddress && (
          <DescriptionItem name={texts.names.address} wide>
            <span className="figures">{delivery.recipientAddress}</span>
            {delivery.status === 'in transit' && (
              <span className="mt-2 flex">
                <Navigate address={delivery.recipientAddress} place={delivery.place} />
              </span>
            )}
          </DescriptionItem>
        )}
        {details.map(
          ([name, value]) =>
            value && (
              <DescriptionItem key={name} name={name}>
                <span className="figures whitespace-pre-line">{value}</span>
              </DescriptionItem>
            ),
        )}
        {handlingLabels(delivery.handling).length > 0 && (
          <DescriptionItem name={texts.names.handling} wide>
            <div className="mt-1">
              <HandlingList handling={delivery.handling} words={texts} />
            </div>
          </DescriptionItem>
        )}
      </dl>
    </Dialog>
  );
}
