import type { LiveInvalidation } from '@waybill/contract';
import type * as EventStream from './event-stream.ts';
import { importWithRetry } from './import-with-retry.ts';
import { queryClient } from './query-client.ts';
import { getSession, onSessionChange, refreshUser } from './session.ts';
import { createStore, useStore } from './store.ts';
import { token } from './token.ts';

/** `off`: nobody is signed in, or the server does not give this account a stream. */
export type LiveState = EventStream.StreamState | 'off';

type Hint = Pick<LiveInvalidation, 'id'> & { type: string };

/** What the leading tab tells the others. `connected`: what was read before may be stale. */
type Message =
  | { kind: 'hint'; hint: Hint }
  | { kind: 'state'; state: LiveState }
  | { kind: 'connected'; at: number }
  | { kind: 'who leads?' };

const name = 'waybill-live';
/** Bursts of hints are told once; well below the second in which a screen has to follow. */
const gatherMs = 40;
/** A leader says something at every ping (15 s). One that is silent this long is frozen, and loses the lead. */
const leaderSilenceMs = 90_000;
const loadAgainMs = 5000;

const state = createStore<LiveState>('off');
const handlers = new Map<LiveInvalidation['type'], Set<(id: string | null) => void>>();
const gathered = new Map<string, Hint>();

export const useLiveState = () => useStore(state);

/**
 * Calls back when something changed: `onInvalidation('package', (id) => queryClient.invalidateQueries({ queryKey: ['packages'] }))`.
 * The hint says what changed, never its content: refetch through the guarded endpoint. Returns the way to stop.
 */
export function onInvalidation(type: LiveInvalidation['type'], handler: (id: string | null) => void): () => void {
  const known = handlers.get(type) ?? new Set();
  handlers.set(type, known.add(handler));
  return () => known.delete(handler);
}

/** Called once, at the start of the app: keeps the stream while an active user is signed in. */
export function startLive(): void {
  onInvalidation('user', () => void refreshUser());
  let running: { key: string; stop: () => void } | null = null;
  const follow = () => {
    const { user } = getSession();
    // Before the user is known the token is enough: the stream is then there before the first lists are read.
    const key =
      token.get() !== null && (user === null || (user.status === 'active' && !user.mustChangePassword))
        ? `${token.get()}`
        : '';
    if (running?.key === key) return;
    running?.stop();
    running = key ? { key, stop: join() } : null;
    if (!key) state.set('off');
  };
  token.subscribe(follow);
  onSessionChange(follow);
  follow();
}

/** Takes part in the one stream that the tabs of a browser share (it allows six connections an origin). */
function join(): () => void {
  if (!('locks' in navigator) || !('BroadcastChannel' in globalThis)) return lead(receive); // plain http on a network address
  const leaving = new AbortController();
  const channel = new BroadcastChannel(name);
  let waiting = new AbortController();
  let leading = false;
  let heardAt = performance.now();

  const tell = (message: Message) => {
    receive(message);
    channel.postMessage(message);
  };
  const holdLead = (stolen: AbortSignal) =>
    new Promise<void>((resolve) => {
      const release = lead(tell);
      leading = true;
      const end = () => {
        leading = false;
        release();
        resolve();
      };
      if (leaving.signal.aborted || stolen.aborted) return end();
      leaving.signal.addEventListener('abort', end);
      stolen.addEventListener('abort', end);
    });
  const takeTurns = async (steal: boolean) => {
    while (!leaving.signal.aborted) {
      const stolen = new AbortController();
      const options: LockOptions = steal ? { steal } : { signal: waiting.signal };
      steal = false;
      const aborted = await navigator.locks
        .request(name, options, () => holdLead(stolen.signal))
        .then(
          () => false,
          () => true,
        );
      stolen.abort();
      if (aborted && waiting.signal.aborted) return;
    }
  };
  const watch = setInterval(() => {
    if (leading || document.visibilityState === 'hidden' || performance.now() - heardAt < leaderSilenceMs) return;
    heardAt = performance.now();
    waiting.abort();
    waiting = new AbortController();
    void takeTurns(true);
  }, 10_000);

  channel.addEventListener('message', (event: MessageEvent<Message>) => {
    heardAt = performance.now();
    if (event.data.kind !== 'who leads?') receive(event.data);
    else if (leading) channel.postMessage({ kind: 'state', state: state.get() } satisfies Message);
  });
  leaving.signal.addEventListener('abort', () => {
    waiting.abort();
    clearInterval(watch);
    channel.close();
  });

  state.set('connecting');
  channel.postMessage({ kind: 'who leads?' } satisfies Message);
  void takeTurns(false);
  return () => leaving.abort();
}

/** Holds the stream itself and passes on what it says. Its code is loaded with the first stream: visitors need none. */
function lead(tell: (message: Message) => void): () => void {
  const leaving = new AbortController();
  const open = ({ openStream }: typeof EventStream) => {
    if (leaving.signal.aborted) return;
    const close = openStream({
      url: '/api/live',
      headers: () => ({ authorization: `Bearer ${token.get()}` }),
      onState: (next) =>
        tell(next === 'connected' ? { kind: 'connected', at: Date.now() } : { kind: 'state', state: next }),
      onAlive: () => tell({ kind: 'state', state: 'connected' }),
      onEvent: (event, data) => {
        if (event === 'hint') tell({ kind: 'hint', hint: JSON.parse(data) });
        // After `drain` the stream simply comes back; after the others the session has to be looked at.
        if (event === 'bye' && !data.includes('drain')) void refreshUser();
      },
      onRefused: () => {
        tell({ kind: 'state', state: 'off' });
        void refreshUser();
      },
    });
    leaving.signal.addEventListener('abort', close);
  };
  const load = () =>
    void importWithRetry(() => import('./event-stream.ts')).then(open, () => {
      if (leaving.signal.aborted) return;
      tell({ kind: 'state', state: 'offline' });
      setTimeout(load, loadAgainMs);
    });
  tell({ kind: 'state', state: 'connecting' });
  load();
  return () => leaving.abort();
}

function receive(message: Message): void {
  if (message.kind === 'state') state.set(message.state);
  if (message.kind === 'connected') {
    state.set('connected');
    converge(message.at);
  }
  if (message.kind === 'hint') {
    if (gathered.size === 0) setTimeout(tellHandlers, gatherMs);
    gathered.set(`${message.hint.type} ${message.hint.id}`, message.hint);
  }
}

function tellHandlers(): void {
  const hints = [...gathered.values()];
  gathered.clear();
  for (const hint of hints)
    for (const [type, known] of handlers) if (type === hint.type) for (const handler of known) handler(hint.id);
}

/** Hints between two connections are lost, so everything read before this one is read again. */
function converge(connectedAt: number): void {
  void queryClient.invalidateQueries({
    predicate: (query) => query.state.dataUpdatedAt < connectedAt || query.state.fetchStatus === 'fetching',
  });
}
