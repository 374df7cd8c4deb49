import cluster, { type Worker } from 'node:cluster';
import { AppError } from '../errors.ts';
import type { Stream } from './sse.ts';

/** Open streams per user, and per address without a session, over all workers of this server. */
const maxStreams = { user: 5, address: 3 };
type Kind = keyof typeof maxStreams;

/** IPC message from a worker to the primary, which replies to `take`. `turn` is the id of the request. */
type SlotRequest =
  | { streams: 'take'; turn: number; kind: Kind; key: string }
  | { streams: 'free'; kind: Kind; key: string };
interface SlotReply {
  streams: 'taken' | 'full';
  turn: number;
}

function countSlots() {
  const open = new Map<string, number>();
  return {
    acquire(kind: Kind, key: string): boolean {
      const name = `${kind} ${key}`;
      const count = open.get(name) ?? 0;
      if (count >= maxStreams[kind]) return false;
      open.set(name, count + 1);
      return true;
    },
    release(kind: Kind, key: string): void {
      const name = `${kind} ${key}`;
      const count = (open.get(name) ?? 1) - 1;
      if (count > 0) open.set(name, count);
      else open.delete(name);
    },
  };
}

const localCounts = countSlots();
let lastRequestId = 0;
const pendingReplies = new Map<number, (isAcquired: boolean) => void>();

function acquireFromPrimary(kind: Kind, key: string): Promise<boolean> {
  if (lastRequestId === 0) {
    process.on('message', (message) => {
      if (!isSlotReply(message)) return;
      pendingReplies.get(message.turn)?.(message.streams === 'taken');
      pendingReplies.delete(message.turn);
    });
  }
  const turn = ++lastRequestId;
  return new Promise((resolve) => {
    pendingReplies.set(turn, resolve);
    sendToPrimary({ streams: 'take', turn, kind, key });
  });
}

const sendToPrimary = (message: SlotRequest) => void (process.connected && process.send?.(message));
const isSlotReply = (message: unknown): message is SlotReply =>
  typeof message === 'object' && message !== null && 'streams' in message;
const isSlotRequest = (message: unknown): message is SlotRequest => isSlotReply(message);

/**
 * Acquires a slot for a stream. With several workers the primary counts.
 * @returns a function that ties the slot to the opened stream: it is released when the stream closes
 * @throws too_many_requests if the caller has no free slot
 */
export async function acquireStreamSlot(kind: Kind, key: string, limited: boolean): Promise<(stream: Stream) => void> {
  if (!limited) return () => {};
  const isAcquired = cluster.isWorker ? await acquireFromPrimary(kind, key) : localCounts.acquire(kind, key);
  if (!isAcquired) {
    throw new AppError('too_many_requests', 'Too many live connections. Close another tab and try again.', {
      retryAfterSeconds: 10,
    });
  }
  return (stream) =>
    stream.onClose(() =>
      cluster.isWorker ? sendToPrimary({ streams: 'free', kind, key }) : localCounts.release(kind, key),
    );
}

/** Counts the streams of all workers, in the primary. A worker that exits releases its slots. */
export function countForWorkers(): void {
  const counts = countSlots();
  const slotsOfWorkers = new Map<number, SlotRequest[]>();
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (!isSlotRequest(message)) return;
    const { kind, key } = message;
    const slotsOfWorker = slotsOfWorkers.get(worker.id) ?? [];
    if (message.streams === 'take') {
      const isAcquired = counts.acquire(kind, key);
      if (isAcquired) slotsOfWorkers.set(worker.id, [...slotsOfWorker, message]);
      worker.send({ streams: isAcquired ? 'taken' : 'full', turn: message.turn } satisfies SlotReply);
    } else {
      const at = slotsOfWorker.findIndex((one) => one.kind === kind && one.key === key);
      if (at < 0) return;
      slotsOfWorker.splice(at, 1);
      counts.release(kind, key);
    }
  });
  cluster.on('exit', (worker: Worker) => {
    for (const { kind, key } of slotsOfWorkers.get(worker.id) ?? []) counts.release(kind, key);
    slotsOfWorkers.delete(worker.id);
  });
}
