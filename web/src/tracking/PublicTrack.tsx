import { useEffect, useState } from 'react';
import type { ComponentProps } from 'react';
import { useTrackTitle } from './useTrackTitle.ts';
import { TrackView } from './TrackView.tsx';
import { useLookup } from './useLookup.ts';
import type { PublicPageData } from '@waybill/contract';

/** The tracker without the application shell: the URL follows the ID, including Back and Forward. */
export function PublicTrack({
  id: first,
  found,
  typed,
  message,
  dayZone,
  Recipient,
}: Omit<Extract<PublicPageData, { name: 'track' }>, 'name'> & {
  dayZone: string;
  Recipient: ComponentProps<typeof TrackView>['Recipient'];
}) {
  const [id, setId] = useState(first);
  const { lookup, refetch } = useLookup(id, first !== undefined && found ? { id: first, found } : null);
  useTrackTitle(id, lookup);

  useEffect(() => {
    const syncFromUrl = () => setId(idInAddress());
    addEventListener('popstate', syncFromUrl);
    return () => removeEventListener('popstate', syncFromUrl);
  }, []);

  const track = (typed: string) => {
    if (typed === id) return refetch();
    history.pushState(null, '', `/track/${encodeURIComponent(typed)}`);
    setId(typed);
  };
  return (
    <TrackView
      id={id}
      typed={typed}
      lookup={lookup}
      message={id === first ? message : undefined}
      onTrack={track}
      Recipient={Recipient}
      dayZone={dayZone}
    />
  );
}

function idInAddress(): string | undefined {
  const part = location.pathname.split('/')[2];
  return part ? decodeURIComponent(part) : undefined;
}
