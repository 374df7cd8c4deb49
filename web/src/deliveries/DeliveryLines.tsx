import { fill } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import { CalendarClock, Clock, Phone, TriangleAlert, Undo2, UserRound, Weight } from 'lucide-react';
import { capitalized } from '../packages/arrival.ts';
import { HandlingList } from '../packages/HandlingList.tsx';
import { useToday } from '../platform/clock.ts';
import { formatDay, formatMoment, formatWeight, localDay } from '../platform/formats.ts';
import { formatPhone } from '../platform/phone.ts';
import { translated } from '../platform/texts.ts';
import { classes } from '../ui/classes.ts';
import { TextLink } from '../ui/TextLink.tsx';
import { DeliveryLine } from './DeliveryLine.tsx';
import { dueText } from './due.ts';
import { InstructionsLine } from './InstructionsLine.tsx';
import { ReportedLocation } from './ReportedLocation.tsx';
import { bringBackTo, texts } from './texts.ts';

/** What a driver needs at a glance. Before the start the recipient is hidden: only the location is shown. */
export function DeliveryLines({ delivery }: { delivery: Delivery }) {
  const { status, recipientName, recipientPhone, window, eta, completedAt, receivedBy, issue } = delivery;
  const now = useToday();
  const isLate = eta !== null && eta.slice(0, 10) < localDay(now);
  return (
    <div className="flex flex-col gap-1.5">
      <ReportedLocation delivery={delivery} />
      {recipientName &&
        (delivery.returnDue ? (
          <DeliveryLine icon={<Undo2 />} name={texts.names.return}>
            <span className="font-medium text-ink">{bringBackTo(recipientName)}</span>
          </DeliveryLine>
        ) : (
          <DeliveryLine icon={<UserRound />} name={texts.names.recipient}>
            {recipientName}
          </DeliveryLine>
        ))}
      {recipientPhone && status === 'in transit' && (
        <DeliveryLine icon={<Phone />} name={texts.names.phone}>
          <TextLink roomy href={`tel:${recipientPhone}`}>
            {formatPhone(recipientPhone)}
          </TextLink>
        </DeliveryLine>
      )}
      {status === 'pending' && (
        <DeliveryLine icon={<Weight />} name={texts.names.weightAndCategory}>
          <span className="figures">{formatWeight(delivery.weight)}</span> · {translated(delivery.category)}
        </DeliveryLine>
      )}
      {window && status !== 'delivered' && (
        <DeliveryLine icon={<Clock />} name={texts.names.preferredTime}>
          <span className="font-medium text-ink figures">{dueText(delivery, now)}</span>
        </DeliveryLine>
      )}
      {status === 'in transit' && <InstructionsLine delivery={delivery} />}
      {status === 'pending' && eta && (
        <DeliveryLine
          icon={<CalendarClock className={isLate ? 'text-yellow-dot' : undefined} />}
          name={texts.names.estimatedArrival}
        >
          <span className={classes('figures', isLate && 'font-medium text-yellow-ink')}>
            {fill(isLate ? texts.overdueSince : texts.dueOn, { day: formatDay(eta) })}
          </span>
        </DeliveryLine>
      )}
      {status === 'in transit' && delivery.estimatedDeliveryTime && !window && (
        <DeliveryLine icon={<CalendarClock />} name={texts.names.estimatedDelivery}>
          <span className="figures">{capitalized(dueText(delivery, now) ?? '')}</span>
        </DeliveryLine>
      )}
      {completedAt && (
        <DeliveryLine icon={<CalendarClock />} name={texts.names.completed}>
          <span className="figures">{formatMoment(completedAt)}</span>
          {receivedBy && receivedBy !== recipientName && ` · ${fill(texts.receivedByName, { name: receivedBy })}`}
        </DeliveryLine>
      )}
      {issue && status !== 'delivered' && (
        <DeliveryLine icon={<TriangleAlert className="text-yellow-dot" />} name={texts.names.issue}>
          {issue}
        </DeliveryLine>
      )}
      {status !== 'delivered' && (
        <div className="mt-1 empty:hidden">
          <HandlingList handling={delivery.handling} words={texts} />
        </div>
      )}
    </div>
  );
}
