import { ApiError } from '@waybill/contract';
import type { TrackingLookup, PublicView } from '@waybill/contract';
import { useCallback, useEffect, useState } from 'react';
import { api } from '../platform/api.ts';
import type { StreamState } from '../platform/event-stream.ts';
import { useDelayedPending } from '../ui/useDelayedPending.ts';
import { followPackage } from './live.ts';
import type { Lookup } from './TrackView.tsx';

interface Known {
  id: string;
  found: TrackingLookup;
}

/** Looks an ID up and follows the package live while something can still happen to it. `known` saves the first request. */
export function useLookup(id: string | undefined, known: Known | null = null): { lookup: Lookup; again: () => void } {
  const [state, setState] = useState<Known | null>(known);
  const [live, setLive] = useState<StreamState>('connecting');
  const found = state !== null && state.id === id ? state.found : null;
  const loading = useDelayedPending(id !== undefined && found === null);

  const needed = found === null;
  useEffect(() => {
    if (id === undefined || !needed) return;
    const leaving = new AbortController();
    void ask(id, leaving.signal).then((answer) => {
      if (!leaving.signal.aborted) setState({ id, found: answer });
    });
    return () => leaving.abort();
  }, [id, needed]);

  const following = found !== null && 'view' in found && canChange(found.view);
  useEffect(() => {
    if (id === undefined || !following) return;
    return followPackage(id, { onView: (view) => setState({ id, found: { view } }), onState: setLive });
  }, [id, following]);

  const again = useCallback(() => setState(null), []);
  return { lookup: asLookup(), again };

  function asLookup(): Lookup {
    if (id === undefined) return { state: 'none' };
    if (loading || found === null) return { state: 'loading' };
    if ('view' in found) return { state: 'found', view: found.view, live: following ? live : 'off' };
    if ('missing' in found) return { state: 'missing' };
    return { state: 'failed', message: found.failed, requestId: found.requestId, onRetry: again };
  }
}

/** What is cancelled can still be deleted. */
const canChange = ({ status }: PublicView) => status !== 'delivered' && status !== 'inactive';

async function ask(id: string, signal: AbortSignal, retries = 1): Promise<TrackingLookup> {
  try {
    return { view: await api.tracking.view({ params: { id }, signal }) };
  } catch (error) {
    const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
    if (refused && error.status === 404) return { missing: true };
    // An ID that is not there stays so, and every miss counts against the visitor's limit.
    if (!refused && retries > 0 && !signal.aborted) return ask(id, signal, retries - 1);
    return {
      failed: (error instanceof Error && error.message) || 'An error occurred',
      requestId: error instanceof ApiError ? error.requestId : null,
    };
  }
}
