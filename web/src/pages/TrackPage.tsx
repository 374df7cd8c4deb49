import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ApiError, isFinal } from '@waybill/contract';
import { useEffect, useState } from 'react';
import type { StreamState } from '../platform/event-stream.ts';
import { usePageTitle } from '../platform/page-title.ts';
import { followPackage } from '../tracking/live.ts';
import { publicViewQuery } from '../tracking/queries.ts';
import { TrackView } from '../tracking/TrackView.tsx';
import type { Lookup } from '../tracking/TrackView.tsx';
import { useHeldPending } from '../ui/useHeldPending.ts';

export function TrackPage() {
  const { id } = useParams({ strict: false });
  const { id: asked } = useSearch({ strict: false });
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [live, setLive] = useState<StreamState>('connecting');
  const {
    data: view,
    error,
    refetch,
    isPending,
    isFetching,
  } = useQuery({ ...publicViewQuery(id ?? ''), enabled: Boolean(id) });
  const loading = useHeldPending(Boolean(id) && (isPending || (error !== null && isFetching)));
  const following = Boolean(view && !isFinal(view.status));
  usePageTitle(id ? `Track ${id}` : 'Track Your Package');

  useEffect(() => {
    if (asked && !id) void navigate({ to: '/track/$id', params: { id: asked }, replace: true });
  }, [asked, id, navigate]);

  useEffect(() => {
    if (!id || !following) return;
    return followPackage(id, {
      onView: (next) => queryClient.setQueryData(publicViewQuery(id).queryKey, next),
      onState: setLive,
    });
  }, [id, following, queryClient]);

  const track = (typed: string) => {
    if (typed === id) void refetch();
    else void navigate({ to: '/track/$id', params: { id: typed } });
  };
  return <TrackView id={id} lookup={lookUp()} onTrack={track} />;

  function lookUp(): Lookup {
    if (!id) return { state: 'none' };
    if (loading) return { state: 'loading' };
    if (view) return { state: 'found', view, live: following ? live : 'off' };
    if (error instanceof ApiError && error.status === 404) return { state: 'missing' };
    return {
      state: 'failed',
      message: error?.message || 'An error occurred',
      requestId: error instanceof ApiError ? error.requestId : null,
      onRetry: () => void refetch(),
    };
  }
}
