import type { LiveInvalidation } from '@waybill/contract';
import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { onInvalidation, useLiveState } from './live.ts';
import { queryClient } from './query-client.ts';

/** Throttle of refetches per query key: a burst of invalidations costs two refetches (leading and trailing), not one each. */
const throttleMs = 300;
/** Polling interval while the stream is down, for example behind a proxy that buffers streams. */
const pollMs = 30_000;

const inFlight = new Map<string, { again: boolean }>();

/** Refetches the active queries under a key. At most one refetch per key is in flight; a call during it triggers one more afterwards. */
export function refresh(queryKey: QueryKey): void {
  const name = JSON.stringify(queryKey);
  const running = inFlight.get(name);
  if (running) running.again = true;
  else void refetch(name, queryKey);
}

async function refetch(name: string, queryKey: QueryKey): Promise<void> {
  const run = { again: true };
  inFlight.set(name, run);
  while (run.again) {
    run.again = false;
    await queryClient.invalidateQueries({ queryKey });
    await new Promise((resolve) => setTimeout(resolve, throttleMs));
  }
  inFlight.delete(name);
}

/**
 * Subscribes to invalidations of a type while the component is mounted. The handler gets the id of what changed; null means
 * that anything of the type may have changed, and also comes every 30 s while the stream is down.
 */
export function useInvalidation(type: LiveInvalidation['type'], onChange: (id: string | null) => void): void {
  const polling = useLiveState() !== 'connected';
  const notify = useEffectEvent(onChange);
  useEffect(() => onInvalidation(type, (id) => notify(id)), [type]);
  useEffect(() => {
    if (!polling) return;
    const timer = setInterval(() => notify(null), pollMs);
    return () => clearInterval(timer);
  }, [polling]);
}
