import { fill } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import { Clock, Package, Phone, RotateCcw, TriangleAlert, Undo2 } from 'lucide-react';
import { capitalized } from '../packages/arrival.ts';
import { handlingOfAll } from './door-handling.ts';
import { HandlingList } from '../packages/HandlingList.tsx';
import { TrackingId } from '../packages/TrackingId.tsx';
import { useToday } from '../platform/clock.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { PermissionButton } from '../users/PermissionButton.tsx';
import { DeliveryBadge } from './DeliveryBadge.tsx';
import { DeliveryLine } from './DeliveryLine.tsx';
import { InstructionsLine } from './InstructionsLine.tsx';
import { DeliveryMenu } from './DeliveryMenu.tsx';
import { Navigate } from './Navigate.tsx';
import { dueText } from './due.ts';
import type { OnAction } from './delivery-dialogs.ts';
import { ReportedLocation } from './ReportedLocation.tsx';
import { failureText } from './failure-text.ts';
import { bringBackTo, texts } from './texts.ts';

interface NextStopProps {
  delivery: Delivery;
  /** The other packages at its door. */
  door: Delivery[];
  onAction: OnAction;
}

/** The next stop, large and first on a wide screen. On phones it has a screen of its own, see StopScreen. */
export function NextStop({ delivery, door, onAction }: NextStopProps) {
  const { recipientName, recipientPhone, recipientAddress, window, issue } = delivery;
  const { arrivalWindow, attempts, lastFailure, returnDue } = delivery;
  const packages = [delivery, ...door];
  const due = dueText(delivery, useToday());
  return (
    <section aria-label={texts.nextStop} className="mb-6 rounded-card border border-brand/50 bg-surface p-4 md:p-6">
      <div className="flex items-start justify-between gap-3">
        <DeliveryBadge delivery={delivery} />
        <span className="-mt-2 -mr-2">
          <DeliveryMenu delivery={delivery} onAction={onAction} />
        </span>
      </div>
      <div className="flex flex-col gap-5 lg:flex-row lg:items-end lg:justify-between">
        <div className="min-w-0">
          <h2 className="flex items-start gap-1 text-section font-semibold text-wrap wrap-anywhere [&_button]:-my-1">
            {recipientAddress ?? texts.noAddress}
            {recipientAddress && (
              <CopyButton text={recipientAddress} label={texts.copyAddress} copiedLabel={texts.copied} />
            )}
          </h2>
          {recipientName && <p className="text-body text-ink-2 wrap-anywhere">{recipientName}</p>}
          <div className="mt-3 flex flex-col gap-1.5">
            {returnDue && (
              <DeliveryLine icon={<Undo2 />} name={texts.names.return}>
                <span className="font-medium text-ink">{bringBackTo(recipientName)}</span>
              </DeliveryLine>
            )}
            {door.length > 0 && (
              <p className="text-ui font-semibold figures">
                {fill(texts.packagesHere, { count: `${door.length + 1}` })}
              </p>
            )}
            {packages.map(({ id, packageName, trackingId }) => (
              <DeliveryLine key={id} icon={<Package />} name={texts.names.package}>
                {packageName} ·{' '}
                <TrackingId
                  id={trackingId}
                  copyLabel={fill(texts.copyId, { id: trackingId })}
                  copiedLabel={texts.copied}
                />
              </DeliveryLine>
            ))}
            <ReportedLocation delivery={delivery} />
            {due && (
              <DeliveryLine
                icon={<Clock />}
                name={!arrivalWindow && window ? texts.names.preferredTime : texts.names.estimatedDelivery}
              >
                <span className="font-medium text-ink figures">{capitalized(due)}</span>
              </DeliveryLine>
            )}
            <InstructionsLine delivery={delivery} />
            {attempts > 0 && !returnDue && (
              <DeliveryLine
                icon={<RotateCcw className="text-yellow-dot" />}
                name={fill(texts.attempt, { number: attempts + 1 })}
              >
                {fill(texts.lastTime, { reason: failureText(lastFailure ?? '–') })}
              </DeliveryLine>
            )}
            {issue && (
              <DeliveryLine icon={<TriangleAlert className="text-yellow-dot" />} name={texts.names.issue}>
                {issue}
              </DeliveryLine>
            )}
            <div className="mt-1 empty:hidden">
              <HandlingList handling={handlingOfAll(packages)} words={texts} />
            </div>
          </div>
        </div>
        <div className="flex shrink-0 flex-col gap-2 md:flex-row md:flex-wrap">
          {recipientAddress && <Navigate address={recipientAddress} place={delivery.place} size="lg" />}
          {recipientPhone && (
            <LinkButton
              variant="secondary"
              size="lg"
              href={`tel:${recipientPhone}`}
              icon={<Phone aria-hidden="true" className="size-4" />}
            >
              {texts.callRecipient}
            </LinkButton>
          )}
          <PermissionButton
            permissions={['deliveries.complete']}
            whenDenied="disable"
            size="lg"
            onClick={() => onAction('complete', delivery)}
          >
            {delivery.returnDue ? texts.completeReturn : texts.complete}
          </PermissionButton>
        </div>
      </div>
    </section>
  );
}
