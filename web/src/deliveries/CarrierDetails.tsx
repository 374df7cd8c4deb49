import type { DriverInfo } from '@waybill/contract';
import { CircleCheck, CircleDashed, Truck, UserRound } from 'lucide-react';
import { useState } from 'react';
import { formatMoment, formatMonth, formatRating } from '../platform/formats.ts';
import { formatPhone } from '../platform/phone.ts';
import { Badge } from '../ui/Badge.tsx';
import { DescriptionItem } from '../ui/DescriptionItem.tsx';
import { Stars } from '../ui/Stars.tsx';

const notSpecified = 'Not specified';

const styles = {
  active: { tone: 'green', icon: <CircleCheck aria-hidden="true" /> },
  busy: { tone: 'yellow', icon: <Truck aria-hidden="true" /> },
  other: { tone: 'grey', icon: <CircleDashed aria-hidden="true" /> },
} as const;

/** What an owner may see of the driver of their package. */
export function CarrierDetails({ carrier }: { carrier: DriverInfo }) {
  const [broken, setBroken] = useState(false);
  const { name, status, profilePicture, vehicleInfo } = carrier;
  const style = status === 'active' || status === 'busy' ? styles[status] : styles.other;
  return (
    <>
      <div className="flex items-center gap-4">
        {profilePicture && !broken ? (
          <img
            src={profilePicture}
            alt={name}
            className="size-16 rounded-full object-cover"
            onError={() => setBroken(true)}
          />
        ) : (
          <span
            aria-hidden="true"
            className="flex size-16 items-center justify-center rounded-full bg-sunken text-ink-3"
          >
            <UserRound strokeWidth={1.5} className="size-8" />
          </span>
        )}
        <div className="min-w-0">
          <h3 className="text-section font-semibold wrap-anywhere">{name}</h3>
          <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
            <Badge tone={style.tone} icon={style.icon}>
              <span className="inline-block first-letter:uppercase">{status}</span>
            </Badge>
            <span className="text-table text-ink-3">Member since {formatMonth(carrier.createdAt)}</span>
          </div>
        </div>
      </div>
      {status === 'unavailable' && (
        <p className="mt-4 rounded-card bg-sunken px-4 py-3 text-ui text-ink-2">
          This driver is not available at present. Another one may bring your package.
        </p>
      )}
      <dl className="mt-6 grid grid-cols-2 gap-x-6 gap-y-5">
        <DescriptionItem name="Rating">
          <span className="flex flex-wrap items-center gap-x-2">
            {carrier.rating !== null && (
              <span aria-hidden="true" className="flex [&_svg]:size-4">
                <Stars value={carrier.rating} />
              </span>
            )}
            <span className="figures">{carrier.rating === null ? 'No data yet' : formatRating(carrier.rating)}</span>
          </span>
        </DescriptionItem>
        <DescriptionItem name="Total Deliveries">
          <span className="figures">{carrier.totalDeliveries}</span>
        </DescriptionItem>
        <DescriptionItem name="Experience">
          {carrier.yearsOfExperience === null
            ? notSpecified
            : `${carrier.yearsOfExperience} ${carrier.yearsOfExperience === 1 ? 'year' : 'years'}`}
        </DescriptionItem>
        <DescriptionItem name="Current Location">{carrier.currentLocation ?? notSpecified}</DescriptionItem>
        <DescriptionItem name="Email">{carrier.email || notSpecified}</DescriptionItem>
        <DescriptionItem name="Phone">
          <span className="figures">{carrier.phone ? formatPhone(carrier.phone) : notSpecified}</span>
        </DescriptionItem>
        <DescriptionItem name="Vehicle">
          {[vehicleInfo?.type, vehicleInfo?.model].filter(Boolean).join(', ') || notSpecified}
        </DescriptionItem>
        <DescriptionItem name="License Plate">
          <span className="figures">{vehicleInfo?.licensePlate ?? notSpecified}</span>
        </DescriptionItem>
        <DescriptionItem name="Estimated Delivery" wide>
          <span className="figures">
            {carrier.estimatedDeliveryTime ? formatMoment(carrier.estimatedDeliveryTime) : notSpecified}
          </span>
        </DescriptionItem>
      </dl>
    </>
  );
}
