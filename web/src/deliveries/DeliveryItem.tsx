import { fill } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import { Navigation } from 'lucide-react';
import { PackageThumbnail } from '../packages/PackageThumbnail.tsx';
import { TrackingId } from '../packages/TrackingId.tsx';
import { Button } from '../ui/Button.tsx';
import { PermissionButton } from '../users/PermissionButton.tsx';
import { classes } from '../ui/classes.ts';
import { DeliveryBadge } from './DeliveryBadge.tsx';
import { DeliveryLines } from './DeliveryLines.tsx';
import { DeliveryMenu } from './DeliveryMenu.tsx';
import { Navigate } from './Navigate.tsx';
import type { OnAction } from './delivery-dialogs.ts';
import { useMarkNext } from './queries.ts';
import { texts } from './texts.ts';

interface DeliveryItemProps {
  delivery: Delivery;
  /** Also shown above the list as the next stop, with its buttons: hides them here. */
  shownAbove?: boolean;
  /** There is a next stop: a start is not what the screen asks for. */
  hasNext?: boolean;
  onAction: OnAction;
}

/** One delivery in a list, with its actions. */
export function DeliveryItem({ delivery, shownAbove = false, hasNext = false, onAction }: DeliveryItemProps) {
  const { id, status, packageName, trackingId, recipientAddress, location } = delivery;
  const isPending = status === 'pending';
  const destination = recipientAddress ?? (isPending ? location : null) ?? texts.notSpecified;
  // Before the start only the place is known, and many wait at the same one.
  const [title, subtitle] = isPending ? [packageName, destination] : [destination, packageName];
  const badge = <DeliveryBadge delivery={delivery} />;
  const markNext = useMarkNext(id);
  return (
    <li
      className={classes(
        'flex flex-col gap-x-6 gap-y-4 px-4 py-4 sm:px-5 lg:flex-row lg:items-center',
        // Two buttons at most: there is room for them beside the words.
        status !== 'in transit' && 'md:flex-row md:items-center',
      )}
    >
      <div className="flex min-w-0 grow gap-4">
        <span className="hidden sm:block">
          <PackageThumbnail image={delivery.packageImages[0]} category={delivery.category} />
        </span>
        <div className="min-w-0 grow">
          <div className="flex items-start gap-3">
            <div className="min-w-0 grow">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <h3 className="min-w-0 text-body font-semibold wrap-anywhere">{title}</h3>
                {/* On phones some would stand in a line of their own; the list says that it is delivered. */}
                {!isPending && (
                  <span className={classes('flex', status === 'delivered' && 'max-sm:hidden')}>{badge}</span>
                )}
              </div>
              <p className="flex flex-wrap items-center gap-x-2 text-ui text-ink-2">
                <span className="min-w-0 wrap-anywhere">{subtitle}</span>
                <span className="text-ink-3">
                  <TrackingId
                    id={trackingId}
                    copyLabel={fill(texts.copyId, { id: trackingId })}
                    copiedLabel={texts.copied}
                  />
                </span>
                {/* Beside a long name it would stand in a line of its own. */}
                {isPending && badge}
              </p>
            </div>
            {status === 'in transit' && !shownAbove && (
              <span className="-mt-2 -mr-2 lg:hidden">
                <DeliveryMenu delivery={delivery} onAction={onAction} />
              </span>
            )}
          </div>
          {!shownAbove && (
            <div className="mt-2">
              <DeliveryLines delivery={delivery} />
            </div>
          )}
        </div>
      </div>
      {/* Below the words it begins where these do. */}
      <div
        className={classes(
          'flex shrink-0 gap-2 empty:hidden lg:items-center lg:pl-0',
          status === 'in transit'
            ? 'flex-col sm:flex-row sm:pl-18'
            : 'flex-wrap max-sm:*:grow max-sm:*:px-2 sm:max-md:pl-18',
        )}
      >
        {status === 'in transit' && !shownAbove && (
          <>
            {recipientAddress && <Navigate address={recipientAddress} place={delivery.place} />}
            {!delivery.next && (
              <PermissionButton
                permissions={['deliveries.update']}
                variant="secondary"
                icon={<Navigation aria-hidden="true" className="size-4" />}
                loading={markNext.isPending}
                onClick={() => markNext.mutate()}
              >
                {texts.markNext}
              </PermissionButton>
            )}
            <PermissionButton
              permissions={['deliveries.complete']}
              whenDenied="disable"
              variant="secondary"
              onClick={() => onAction('complete', delivery)}
            >
              {delivery.returnDue ? texts.completeReturn : texts.complete}
            </PermissionButton>
            <span className="hidden lg:block">
              <DeliveryMenu delivery={delivery} onAction={onAction} />
            </span>
          </>
        )}
        {status !== 'in transit' && (
          <Button variant="secondary" onClick={() => onAction('details', delivery)}>
            {texts.packageDetails}
          </Button>
        )}
        {isPending && (
          <PermissionButton
            permissions={['deliveries.claim']}
            whenDenied="disable"
            variant={hasNext ? 'secondary' : 'primary'}
            onClick={() => onAction('start', delivery)}
          >
            {texts.start}
          </PermissionButton>
        )}
      </div>
    </li>
  );
}
