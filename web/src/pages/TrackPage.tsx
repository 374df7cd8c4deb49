import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LazyRecipientPart } from './parts/LazyRecipientPart.tsx';
import { useTrackTitle } from '../tracking/useTrackTitle.ts';
import { TrackView } from '../tracking/TrackView.tsx';
import { useLookup } from '../tracking/useLookup.ts';

export function TrackPage() {
  const { id } = useParams({ strict: false });
  const { id: requestedId } = useSearch({ strict: false });
  const navigate = useNavigate();
  const { lookup, refetch } = useLookup(id);
  useTrackTitle(id, lookup);

  useEffect(() => {
    if (requestedId && !id) void navigate({ to: '/track/$id', params: { id: requestedId }, replace: true });
  }, [requestedId, id, navigate]);

  const track = (typed: string) =>
    typed === id ? refetch() : void navigate({ to: '/track/$id', params: { id: typed } });
  return <TrackView id={id} lookup={lookup} onTrack={track} Recipient={LazyRecipientPart} />;
}
