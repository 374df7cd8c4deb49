import { ApiError, isFinal } from '@waybill/contract';
import type { TrackingLookup, PublicView } from '@waybill/contract';
import { useCallback, useEffect, useState } from 'react';
import { api } from '../platform/api.ts';
import type { StreamState } from '../platform/event-stream.ts';
import { texts } from '../platform/texts.ts';
import { useDelayedPending } from '../ui/useDelayedPending.ts';
import { followPackage } from './live.ts';
import type { Lookup } from './lookup.ts';

interface LookupResult {
  id: string;
  found: TrackingLookup;
}

/** Looks an ID up, and streams updates while the package can still change. `initial` (server-rendered) saves the first request. */
export function useLookup(
  id: string | undefined,
  initial: LookupResult | null = null,
): { lookup: Lookup; refetch: () => void } {
  const [state, setState] = useState<LookupResult | null>(initial);
  const [live, setLive] = useState<StreamState>('connecting');
  const found = state !== null && state.id === id ? state.found : null;
  const loading = useDelayedPending(id !== undefined && found === null);

  const needed = found === null;
  useEffect(() => {
    if (id === undefined || !needed) return;
    const controller = new AbortController();
    void fetchView(id, controller.signal).then((answer) => {
      if (!controller.signal.aborted) setState({ id, found: answer });
    });
    return () => controller.abort();
  }, [id, needed]);

  const following = found !== null && 'view' in found && canChange(found.view);
  useEffect(() => {
    if (id === undefined || !following) return;
    return followPackage(id, { onView: (view) => setState({ id, found: { view } }), onState: setLive });
  }, [id, following]);

  const refetch = useCallback(() => setState(null), []);
  return { lookup: toLookup(), refetch };

  function toLookup(): Lookup {
    if (id === undefined) return { state: 'none' };
    if (loading || found === null) return { state: 'loading' };
    if ('view' in found) return { state: 'found', view: found.view, live: isFinal(found.view.status) ? 'off' : live };
    if ('missing' in found) return { state: 'missing' };
    return { state: 'failed', message: found.failed, requestId: found.requestId, onRetry: refetch };
  }
}

/** A cancelled package can still be deleted. */
const canChange = ({ status }: PublicView) => status !== 'delivered' && status !== 'inactive';

async function fetchView(id: string, signal: AbortSignal, retries = 1): Promise<TrackingLookup> {
  try {
    return { view: await api.tracking.view({ params: { id }, signal }) };
  } catch (error) {
    const isClientError = error instanceof ApiError && error.status >= 400 && error.status < 500;
    if (isClientError && error.status === 404) return { missing: true };
    // One retry, but none after a 4xx: a missing ID stays missing, and every miss counts against the visitor's rate limit.
    if (!isClientError && retries > 0 && !signal.aborted) return fetchView(id, signal, retries - 1);
    return {
      failed: (error instanceof Error && error.message) || texts.track.failed,
      requestId: error instanceof ApiError ? error.requestId : null,
    };
  }
}
