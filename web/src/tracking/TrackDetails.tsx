import { fill } from '@waybill/contract';
import type { PublicView } from '@waybill/contract';
import { Info } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Reader } from '../packages/arrival.ts';
import { ArrivalTime } from '../packages/ArrivalTime.tsx';
import { formatNumber } from '../platform/formats.ts';
import { texts } from '../platform/texts.ts';
import { LocalTime } from '../ui/LocalTime.tsx';
import { itemOfView } from './arrival.ts';
import { Fold } from './Fold.tsx';
import { categoryName, placeName } from './texts.ts';

/** The facts behind the answer, folded; the fold names the ones that tell parcels apart. */
export function TrackDetails({ view, reader }: { view: PublicView; reader: Reader }) {
  const item = itemOfView(view, reader);
  const weight = view.weight > 0 ? fill(texts.track.kilograms, { weight: formatNumber(view.weight) }) : null;
  return (
    <Fold
      icon={<Info />}
      title={texts.track.details}
      summary={[weight, view.category && categoryName(view.category), view.recipientName].filter(Boolean).join(' · ')}
    >
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-x-6 gap-y-4 pt-1 pb-5">
        <Item name={texts.track.currentLocation}>
          {view.location === null ? texts.track.notSpecified : placeName(view.location)}
        </Item>
        {item && (
          <Item name={item.name}>
            <ArrivalTime item={item} />
          </Item>
        )}
        <Item name={texts.track.lastUpdate}>
          <LocalTime value={view.lastUpdate} />
        </Item>
        {view.recipientName && <Item name={texts.track.recipient}>{view.recipientName}</Item>}
        {view.sender && <Item name={texts.track.sender}>{view.sender}</Item>}
        {view.carrier && <Item name={texts.track.carrier}>{view.carrier.firstName}</Item>}
        {view.category && <Item name={texts.track.category}>{categoryName(view.category)}</Item>}
        {weight !== null && <Item name={texts.track.weight}>{weight}</Item>}
      </dl>
    </Fold>
  );
}

function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-table text-ink-3">{name}</dt>
      <dd className="mt-0.5 text-ui font-medium text-ink figures wrap-anywhere">{children}</dd>
    </div>
  );
}
