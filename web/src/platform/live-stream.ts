import { maxMissedMs, type LiveInvalidation } from '@waybill/contract';
import { isDeepEqual } from './deep-equal.ts';
import { openStream, type StreamState } from './event-stream.ts';
import { organisation } from './organisation.ts';
import { refreshUser } from './session.ts';
import { token } from './token.ts';

export type Invalidation = Pick<LiveInvalidation, 'id' | 'age'> & { type: string };

/**
 * Messages between tabs; all but 'who leads?' come from the leader. `connected`: queries fetched before `staleBefore` (in ms since 1970)
 * may be stale, and those that failed are worth another try. `alive`: bytes arrived, even if only a ping.
 */
export type Message =
  | { kind: 'hint'; hint: Invalidation }
  | { kind: 'state'; state: StreamState | 'off' }
  | { kind: 'connected'; staleBefore: number }
  | { kind: 'alive' }
  | { kind: 'who leads?' };

/**
 * Opens the stream of signed-in screens, and passes on what it says.
 * @param missedMs for how long this browser may have missed changes
 * @returns the function that closes it
 */
export function openLiveStream(broadcast: (message: Message) => void, missedMs: () => number): () => void {
  // After the account has changed, more may be different than hints tell.
  let mayResume = true;
  let isCurrent = false;
  return openStream({
    url: () => (mayResume && missedMs() <= maxMissedMs ? `/api/live?missedMs=${missedMs()}` : '/api/live'),
    headers: () => ({ authorization: `Bearer ${token.get()}` }),
    onState(next) {
      isCurrent = false;
      // Connected is the stream only once `hello` has said what was missed.
      if (next !== 'connected') broadcast({ kind: 'state', state: next });
    },
    onAlive: () => isCurrent && broadcast({ kind: 'alive' }),
    onEvent: (event, data) => {
      if (event === 'hint') broadcast({ kind: 'hint', hint: JSON.parse(data) });
      if (event === 'hello') {
        const { organisation: present, resumed } = JSON.parse(data);
        broadcast({ kind: 'connected', staleBefore: resumed ? 0 : Date.now() });
        mayResume = true;
        isCurrent = true;
        // The organisation is part of the page, not a query: it may have changed before this connection.
        if (!isDeepEqual(present, organisation.get()))
          broadcast({ kind: 'hint', hint: { type: 'settings', id: null } });
      }
      if (event !== 'bye') return;
      mayResume = false;
      // On `drain` the server shuts down and the stream reconnects. Any other close reason may concern the session: refetch the user.
      if (!data.includes('drain')) void refreshUser();
    },
    onRefused: () => {
      broadcast({ kind: 'state', state: 'off' });
      void refreshUser();
    },
  });
}
