import type { LiveInvalidation } from '@waybill/contract';
import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { onInvalidation, useLiveState } from './live.ts';
import { queryClient } from './query-client.ts';

/** Between two refetches of the same thing: a burst of hints costs its first and its last one, not one for each. */
const restMs = 300;
/** Only while the stream is not there: behind a proxy that holds streams back, say. */
const withoutStreamMs = 30_000;

const underWay = new Map<string, { again: boolean }>();

/** Reads again what is shown under a key. Never two at once, and never without one after the last call. */
export function refresh(queryKey: QueryKey): void {
  const name = JSON.stringify(queryKey);
  const running = underWay.get(name);
  if (running) running.again = true;
  else void readAgain(name, queryKey);
}

async function readAgain(name: string, queryKey: QueryKey): Promise<void> {
  const run = { again: true };
  underWay.set(name, run);
  while (run.again) {
    run.again = false;
    await queryClient.invalidateQueries({ queryKey });
    await new Promise((resolve) => setTimeout(resolve, restMs));
  }
  underWay.delete(name);
}

/**
 * Follows the hints of a type while the component is shown. The handler gets the id of what changed; null means that
 * anything of the kind may have, and comes every half minute while there is no stream.
 */
export function useInvalidation(type: LiveInvalidation['type'], onChange: (id: string | null) => void): void {
  const withoutStream = useLiveState() !== 'connected';
  const tell = useEffectEvent(onChange);
  useEffect(() => onInvalidation(type, (id) => tell(id)), [type]);
  useEffect(() => {
    if (!withoutStream) return;
    const timer = setInterval(() => tell(null), withoutStreamMs);
    return () => clearInterval(timer);
  }, [withoutStream]);
}
