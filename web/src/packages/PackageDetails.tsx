import { isFinal, type Package } from '@waybill/contract';
import { useToday } from '../platform/clock.ts';
import { formatDay, formatWeight } from '../platform/formats.ts';
import { formatPhone } from '../platform/phone.ts';
import { DescriptionItem } from '../ui/DescriptionItem.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { arrivalItem, toArrival } from './arrival.ts';
import { ArrivalTime } from './ArrivalTime.tsx';
import { formatDimensions, formatWindow, locationOf } from './formats.ts';
import { HandlingList } from './HandlingList.tsx';
import { handlingLabels } from './handling.ts';
import { PlaceOfAddress } from './PlaceOfAddress.tsx';
import { PackageOwner } from './PackageOwner.tsx';
import { RecipientAccessLink } from './RecipientAccessLink.tsx';
import { TrackingId } from './TrackingId.tsx';
import { UnreachableNote } from './UnreachableNote.tsx';

/** All fields of a package as a description list. */
export function PackageDetails({ pkg }: { pkg: Package }) {
  const arrival = arrivalItem(toArrival(pkg), { now: useToday() });
  const isContact = (['recipientEmail', 'recipientPhone'] as const).filter(
    (address) => pkg[address] === pkg.recipientContact,
  );
  return (
    <dl className="pairs gap-x-6 gap-y-5 sm:grid-cols-2">
      <DescriptionItem name="Tracking ID">
        <TrackingId id={pkg.trackingId} />
      </DescriptionItem>
      {pkg.reference && <DescriptionItem name="Reference">{pkg.reference}</DescriptionItem>}
      <DescriptionItem name="Category">{pkg.category}</DescriptionItem>
      <DescriptionItem name="Weight">
        <span className="figures">{formatWeight(pkg.weight)}</span>
      </DescriptionItem>
      {pkg.dimensions && (
        <DescriptionItem name="Dimensions (W × H × L)">
          <span className="figures">{formatDimensions(pkg.dimensions)}</span>
        </DescriptionItem>
      )}
      <DescriptionItem name="Current Location">
        {pkg.location && pkg.location === pkg.recipientAddress
          ? 'Delivery address'
          : (locationOf(pkg) ?? 'Not specified')}
      </DescriptionItem>
      {arrival && (
        <DescriptionItem name={arrival.name}>
          <ArrivalTime item={arrival} />
        </DescriptionItem>
      )}
      {pkg.receivedBy && pkg.receivedBy !== pkg.recipientName && (
        <DescriptionItem name="Received By">{pkg.receivedBy}</DescriptionItem>
      )}
      {pkg.eta && (pkg.status !== 'processing' || pkg.failedAttempt) && (
        <DescriptionItem name="Planned Arrival">
          <time dateTime={pkg.eta} className="figures">
            {formatDay(pkg.eta)}
          </time>
        </DescriptionItem>
      )}
      <DescriptionItem name="Created On">
        <LocalTime value={pkg.createdAt} />
      </DescriptionItem>
      {pkg.lastUpdate !== arrival?.at && (
        <DescriptionItem name="Last Update">
          <LocalTime value={pkg.lastUpdate} />
        </DescriptionItem>
      )}
      <PackageOwner userId={pkg.userId} />
      <RecipientAccessLink trackingId={pkg.trackingId} />
      <DescriptionItem name="Recipient Name" first>
        {pkg.recipientName}
      </DescriptionItem>
      <DescriptionItem name="Recipient Contact">
        {formatPhone(pkg.recipientContact ?? '') || 'Not specified'}
        <UnreachableNote pkg={pkg} addresses={isContact} />
      </DescriptionItem>
      {pkg.recipientEmail && pkg.recipientEmail !== pkg.recipientContact && (
        <DescriptionItem name="Recipient's Email">
          <span className="wrap-anywhere">{pkg.recipientEmail}</span>
          <UnreachableNote pkg={pkg} addresses={['recipientEmail']} />
        </DescriptionItem>
      )}
      {pkg.recipientPhone && pkg.recipientPhone !== pkg.recipientContact && (
        <DescriptionItem name="Recipient's Mobile Phone">
          <span className="figures">{formatPhone(pkg.recipientPhone)}</span>
          <UnreachableNote pkg={pkg} addresses={['recipientPhone']} />
        </DescriptionItem>
      )}
      {pkg.recipientAddress && (
        <DescriptionItem name="Delivery Address" wide>
          {pkg.recipientAddress}
        </DescriptionItem>
      )}
      {pkg.recipientAddress && (pkg.place || !isFinal(pkg.status)) && (
        <DescriptionItem name="Address on the Map" wide>
          <PlaceOfAddress pkg={pkg} />
        </DescriptionItem>
      )}
      {pkg.returnTo && <DescriptionItem name="Goes Back To">{pkg.returnTo.address}</DescriptionItem>}
      {pkg.returnTo && (
        <DescriptionItem name="Return Address on the Map" wide>
          <PlaceOfAddress pkg={pkg} returnTo={pkg.returnTo} />
        </DescriptionItem>
      )}
      {pkg.window && (
        <DescriptionItem name="Preferred Time">
          <span className="figures">{formatWindow(pkg.window)}</span>
        </DescriptionItem>
      )}
      {pkg.instructions && (
        <DescriptionItem name="Instructions for the Driver" wide>
          <span className="whitespace-pre-line wrap-anywhere">{pkg.instructions}</span>
        </DescriptionItem>
      )}
      {handlingLabels(pkg.handling).length > 0 && (
        <DescriptionItem name="Special Handling" wide>
          <div className="mt-1">
            <HandlingList handling={pkg.handling} />
          </div>
        </DescriptionItem>
      )}
    </dl>
  );
}
