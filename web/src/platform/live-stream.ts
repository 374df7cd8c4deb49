import type { LiveInvalidation } from '@waybill/contract';
import { openStream, type StreamState } from './event-stream.ts';
import { organisation } from './organisation.ts';
import { refreshUser } from './session.ts';
import { token } from './token.ts';

export type Invalidation = Pick<LiveInvalidation, 'id'> & { type: string };

/** Messages between tabs; all but 'who leads?' come from the leader. `connected`: queries fetched before `at` may be stale. */
export type Message =
  | { kind: 'hint'; hint: Invalidation }
  | { kind: 'state'; state: StreamState | 'off' }
  | { kind: 'connected'; at: number }
  | { kind: 'who leads?' };

/** Opens the stream of signed-in screens, and passes on what it says. @returns the function that closes it */
export const openLiveStream = (broadcast: (message: Message) => void): (() => void) =>
  openStream({
    url: '/api/live',
    headers: () => ({ authorization: `Bearer ${token.get()}` }),
    onState: (next) =>
      broadcast(next === 'connected' ? { kind: 'connected', at: Date.now() } : { kind: 'state', state: next }),
    onAlive: () => broadcast({ kind: 'state', state: 'connected' }),
    onEvent: (event, data) => {
      if (event === 'hint') broadcast({ kind: 'hint', hint: JSON.parse(data) });
      // The organisation is part of the page, not a query: it may have changed before this connection.
      if (event === 'hello' && data !== JSON.stringify({ organisation: organisation.get() }))
        broadcast({ kind: 'hint', hint: { type: 'settings', id: null } });
      // On `drain` the server shuts down and the stream reconnects. Any other close reason may concern the session: refetch the user.
      if (event === 'bye' && !data.includes('drain')) void refreshUser();
    },
    onRefused: () => {
      broadcast({ kind: 'state', state: 'off' });
      void refreshUser();
    },
  });
