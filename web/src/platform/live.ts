import type { LiveInvalidation } from '@waybill/contract';
import type { StreamState } from './event-stream.ts';
import { importWithRetry } from './import-with-retry.ts';
import type * as LiveStream from './live-stream.ts';
import type { Invalidation, Message } from './live-stream.ts';
import { localStorageItem } from './local-storage.ts';
import { queryClient } from './query-client.ts';
import { getSession, onSessionChange, refreshUser } from './session.ts';
import { createStore, useStore } from './store.ts';
import { token } from './token.ts';

/** `off`: nobody is signed in, or the server refuses a stream to this account. */
export type LiveState = StreamState | 'off';

/** Of the lock and the channel. The number changes with the messages, since tabs may have loaded different versions. */
const name = 'waybill-live-2';
/** Invalidations within this time are coalesced; well below the one second in which a screen must update. */
const coalesceMs = 40;
/** The leader broadcasts at every ping (15 s). If it is silent this long, its tab is frozen and another tab steals the lock. */
const leaderTimeoutMs = 90_000;
const importRetryMs = 5000;

const state = createStore<LiveState>('off');
/** Whether the server allowed a stream to the account that this browser saw last: it refuses one before approval or a new password. */
const storedAllowed = localStorageItem('liveAllowed');
/** By both clocks: one stands still while the machine sleeps, the other may be set back. */
const now = () => ({ monotonic: performance.now(), wall: Date.now() });
const msSince = (then: ReturnType<typeof now>) =>
  Math.ceil(Math.max(performance.now() - then.monotonic, Date.now() - then.wall));
/** Nothing was fetched before. */
const begunAt = now();
/** When the stream was heard last. */
let heardAt = begunAt;
const handlers = new Map<LiveInvalidation['type'], Set<(id: string | null) => void>>();
const pending = new Map<string, Invalidation>();

export const useLiveState = () => useStore(state);

/**
 * Calls back when something changed: `onInvalidation('package', (id) => queryClient.invalidateQueries({ queryKey: ['packages'] }))`.
 * An invalidation has a type and an id, never content: refetch through the authorized endpoint. Returns the unsubscribe function.
 */
export function onInvalidation(type: LiveInvalidation['type'], handler: (id: string | null) => void): () => void {
  const ofType = handlers.get(type) ?? new Set();
  handlers.set(type, ofType.add(handler));
  return () => ofType.delete(handler);
}

/** Called once on start-up: keeps the stream open while an active user is signed in. */
export function startLive(): void {
  onInvalidation('user', () => void refreshUser());
  let running: { key: string; stop: () => void } | null = null;
  const update = () => {
    const { user } = getSession();
    if (user) storedAllowed.write(user.status === 'active' && !user.mustChangePassword ? 'yes' : null);
    // While the user is still loading, what held last is enough: the stream is then open before the first lists are fetched.
    const key = token.get() !== null && storedAllowed.read() !== null ? `${token.get()}` : '';
    if (running?.key === key) return;
    running?.stop();
    running = key ? { key, stop: shareStream() } : null;
    if (!key) state.set('off');
  };
  token.subscribe(update);
  onSessionChange(update);
  update();
}

const heard = () => (heardAt = now());
const missedMs = () => msSince(heardAt);

/**
 * Shares one stream between all tabs of a browser, which allows only six HTTP/1.1 connections per origin. Leader election: the tab
 * that holds a Web Lock opens the stream and broadcasts its events to the other tabs.
 */
function shareStream(): () => void {
  // Nothing was fetched before.
  heard();
  if (!('locks' in navigator) || !('BroadcastChannel' in globalThis)) return openLeaderStream(receive, missedMs); // no Web Locks on plain http
  const stopping = new AbortController();
  const channel = new BroadcastChannel(name);
  let queued = new AbortController();
  let isLeader = false;
  let lastMessageAt = performance.now();

  const broadcast = (message: Message) => {
    receive(message);
    channel.postMessage(message);
  };
  const leadUntilEnd = (stolen: AbortSignal) =>
    new Promise<void>((resolve) => {
      const close = openLeaderStream(broadcast, missedMs);
      isLeader = true;
      const end = () => {
        isLeader = false;
        close();
        resolve();
      };
      if (stopping.signal.aborted || stolen.aborted) return end();
      stopping.signal.addEventListener('abort', end);
      stolen.addEventListener('abort', end);
    });
  const campaign = async (steal: boolean) => {
    while (!stopping.signal.aborted) {
      const stolen = new AbortController();
      const options: LockOptions = steal ? { steal } : { signal: queued.signal };
      steal = false;
      const aborted = await navigator.locks
        .request(name, options, () => leadUntilEnd(stolen.signal))
        .then(
          () => false,
          () => true,
        );
      stolen.abort();
      if (aborted && queued.signal.aborted) return;
    }
  };
  const watchdog = setInterval(() => {
    if (isLeader || document.visibilityState === 'hidden' || performance.now() - lastMessageAt < leaderTimeoutMs)
      return;
    lastMessageAt = performance.now();
    queued.abort();
    queued = new AbortController();
    void campaign(true);
  }, 10_000);

  channel.addEventListener('message', (event: MessageEvent<Message>) => {
    lastMessageAt = performance.now();
    if (event.data.kind !== 'who leads?') receive(event.data);
    else if (isLeader) channel.postMessage({ kind: 'state', state: state.get() } satisfies Message);
  });
  stopping.signal.addEventListener('abort', () => {
    queued.abort();
    clearInterval(watchdog);
    channel.close();
  });

  state.set('connecting');
  channel.postMessage({ kind: 'who leads?' } satisfies Message);
  void campaign(false);
  return () => stopping.abort();
}

/** Opens the stream and passes on its events. Its code is loaded with the first stream, because visitors do not need it. */
function openLeaderStream(broadcast: (message: Message) => void, missedMs: () => number): () => void {
  const stopping = new AbortController();
  const open = ({ openLiveStream }: typeof LiveStream) => {
    if (stopping.signal.aborted) return;
    const close = openLiveStream(broadcast, missedMs);
    stopping.signal.addEventListener('abort', close);
  };
  const load = () =>
    void importWithRetry(() => import('./live-stream.ts')).then(open, () => {
      if (stopping.signal.aborted) return;
      broadcast({ kind: 'state', state: 'offline' });
      setTimeout(load, importRetryMs);
    });
  broadcast({ kind: 'state', state: 'connecting' });
  load();
  return () => stopping.abort();
}

function receive(message: Message): void {
  if (message.kind === 'state') state.set(message.state);
  if (message.kind === 'connected') invalidateStale(message.staleBefore);
  if (message.kind === 'connected' || message.kind === 'alive') {
    state.set('connected');
    heard();
  }
  // The stream goes back further than the page does: what changed before it fetched anything, it has.
  if (message.kind === 'hint' && (message.hint.age ?? 0) <= msSince(begunAt)) {
    if (pending.size === 0) setTimeout(flush, coalesceMs);
    pending.set(`${message.hint.type} ${message.hint.id}`, message.hint);
  }
}

/** Calls the handlers of all pending invalidations. */
function flush(): void {
  const invalidations = [...pending.values()];
  pending.clear();
  for (const { type, id } of invalidations)
    for (const [handled, ofType] of handlers) if (handled === type) for (const handler of ofType) handler(id);
}

/** Where the stream does not tell what was missed, every query fetched before this connection is refetched. */
function invalidateStale(before: number): void {
  void queryClient.invalidateQueries({
    predicate: ({ state: { dataUpdatedAt, fetchStatus, status } }) =>
      status === 'error' || dataUpdatedAt < before || (before > 0 && fetchStatus === 'fetching'),
  });
}
