import { useQuery } from '@tanstack/react-query';
import { Phone, UserRound } from 'lucide-react';
import { useState } from 'react';
import { formatRating } from '../platform/formats.ts';
import { LinkButton } from '../ui/LinkButton.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { carrierQuery, useLiveCarrier } from './queries.ts';

/** The driver of a package in one line: face, name, rating, vehicle and a call. Nothing while nobody has it. */
export function CarrierStrip({ packageId }: { packageId: string }) {
  const { data: carrier, isPending } = useQuery(carrierQuery(packageId));
  const [broken, setBroken] = useState(false);
  useLiveCarrier(packageId);
  if (isPending) return <Skeleton height="h-10" />;
  if (typeof carrier !== 'object') return null;
  const { name, rating, profilePicture, vehicleInfo, phone } = carrier;
  const vehicle = [vehicleInfo?.model ?? vehicleInfo?.type, vehicleInfo?.licensePlate].filter(Boolean).join(', ');
  return (
    <div className="flex items-center gap-3">
      {profilePicture && !broken ? (
        <img
          src={profilePicture}
          alt=""
          className="size-10 rounded-full object-cover"
          onError={() => setBroken(true)}
        />
      ) : (
        <span aria-hidden="true" className="flex size-10 items-center justify-center rounded-full bg-sunken text-ink-3">
          <UserRound strokeWidth={1.5} className="size-5" />
        </span>
      )}
      <div className="min-w-0 grow">
        <p className="truncate text-ui font-semibold">
          {name}
          {rating !== null && (
            <span className="ml-2 font-normal figures text-ink-2">
              <span className="sr-only">Rating</span> {formatRating(rating)}
            </span>
          )}
        </p>
        {vehicle && <p className="truncate text-table text-ink-2">{vehicle}</p>}
      </div>
      {phone && (
        <LinkButton
          size="sm"
          variant="secondary"
          href={`tel:${phone}`}
          icon={<Phone aria-hidden="true" className="size-4" />}
        >
          Call
        </LinkButton>
      )}
    </div>
  );
}
