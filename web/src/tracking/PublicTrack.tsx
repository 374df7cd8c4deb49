import { useEffect, useState } from 'react';
import { useTrackTitle } from './useTrackTitle.ts';
import { TrackView } from './TrackView.tsx';
import { useLookup } from './useLookup.ts';
import type { PublicPageData } from '@waybill/contract';

/** The tracker without the application around it: the address follows the ID, also back and forth. */
export function PublicTrack({
  id: first,
  found,
  typed,
  dayZone,
}: Omit<Extract<PublicPageData, { name: 'track' }>, 'name'> & { dayZone: string }) {
  const [id, setId] = useState(first);
  const { lookup, again } = useLookup(id, first !== undefined && found ? { id: first, found } : null);
  useTrackTitle(id, lookup);

  useEffect(() => {
    const follow = () => setId(idInAddress());
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);

  const track = (typed: string) => {
    if (typed === id) return again();
    history.pushState(null, '', `/track/${encodeURIComponent(typed)}`);
    setId(typed);
  };
  return <TrackView id={id} typed={typed} lookup={lookup} onTrack={track} dayZone={dayZone} />;
}

function idInAddress(): string | undefined {
  const part = location.pathname.split('/')[2];
  return part ? decodeURIComponent(part) : undefined;
}
