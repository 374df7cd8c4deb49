import type { Package } from '@waybill/contract';
import { useToday } from '../platform/clock.ts';
import { formatDay, formatWeight } from '../platform/formats.ts';
import { Fact } from '../ui/Fact.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { arrivalFact, ofPackage } from './arrival.ts';
import { ArrivalTime } from './ArrivalTime.tsx';
import { formatDimensions, formatWindow } from './formats.ts';
import { HandlingList } from './HandlingList.tsx';
import { wordsOfHandling } from './handling.ts';
import { PackageOwner } from './PackageOwner.tsx';
import { SeenContacts } from './SeenContacts.tsx';
import { TrackingId } from './TrackingId.tsx';

/** Everything known about a package. */
export function PackageFacts({ pkg }: { pkg: Package }) {
  const arrival = arrivalFact(ofPackage(pkg), { now: useToday() });
  return (
    <dl className="pairs gap-x-6 gap-y-5 sm:grid-cols-2">
      <Fact name="Tracking ID">
        <TrackingId id={pkg.trackingId} />
      </Fact>
      {pkg.reference && <Fact name="Reference">{pkg.reference}</Fact>}
      <Fact name="Category">{pkg.category}</Fact>
      <Fact name="Weight">
        <span className="figures">{formatWeight(pkg.weight)}</span>
      </Fact>
      {pkg.dimensions && (
        <Fact name="Dimensions (W × H × L)">
          <span className="figures">{formatDimensions(pkg.dimensions)}</span>
        </Fact>
      )}
      <Fact name="Current Location">{pkg.location ?? 'Not specified'}</Fact>
      {arrival && (
        <Fact name={arrival.name}>
          <ArrivalTime fact={arrival} />
        </Fact>
      )}
      {pkg.receivedBy && <Fact name="Received By">{pkg.receivedBy}</Fact>}
      {pkg.eta && (pkg.status !== 'processing' || pkg.failedAttempt) && (
        <Fact name="Planned Arrival">
          <time dateTime={pkg.eta} className="figures">
            {formatDay(pkg.eta)}
          </time>
        </Fact>
      )}
      <Fact name="Created On">
        <LocalTime value={pkg.createdAt} />
      </Fact>
      <Fact name="Last Update">
        <LocalTime value={pkg.lastUpdate} />
      </Fact>
      <PackageOwner userId={pkg.userId} />
      <SeenContacts trackingId={pkg.trackingId} />
      <Fact name="Recipient Name">{pkg.recipientName}</Fact>
      <Fact name="Recipient Contact">{pkg.recipientContact || 'Not specified'}</Fact>
      {pkg.recipientAddress && <Fact name="Delivery Address">{pkg.recipientAddress}</Fact>}
      {pkg.window && (
        <Fact name="Preferred Time">
          <span className="figures">{formatWindow(pkg.window)}</span>
        </Fact>
      )}
      {pkg.instructions && (
        <Fact name="Instructions for the Driver" wide>
          <span className="whitespace-pre-line wrap-anywhere">{pkg.instructions}</span>
        </Fact>
      )}
      {wordsOfHandling(pkg.handling).length > 0 && (
        <Fact name="Special Handling" wide>
          <div className="mt-1">
            <HandlingList handling={pkg.handling} />
          </div>
        </Fact>
      )}
    </dl>
  );
}
