import cluster, { type Worker } from 'node:cluster';
import { AppError } from '../errors.ts';
import type { Stream } from './sse.ts';

/** Streams that one user, or one anonymous address, may have open in all processes of this server. */
const most = { user: 5, address: 3 };
type Kind = keyof typeof most;

/** What a worker says to the primary; it answers a `take`. */
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
    take(kind: Kind, key: string): boolean {
      const name = `${kind} ${key}`;
      const count = open.get(name) ?? 0;
      if (count >= most[kind]) return false;
      open.set(name, count + 1);
      return true;
    },
    free(kind: Kind, key: string): void {
      const name = `${kind} ${key}`;
      const count = (open.get(name) ?? 1) - 1;
      if (count > 0) open.set(name, count);
      else open.delete(name);
    },
  };
}

const own = countSlots();
let turns = 0;
const waiting = new Map<number, (got: boolean) => void>();

function askPrimary(kind: Kind, key: string): Promise<boolean> {
  if (turns === 0) {
    process.on('message', (message) => {
      if (!isSlotReply(message)) return;
      waiting.get(message.turn)?.(message.streams === 'taken');
      waiting.delete(message.turn);
    });
  }
  const turn = ++turns;
  return new Promise((resolve) => {
    waiting.set(turn, resolve);
    tellPrimary({ streams: 'take', turn, kind, key });
  });
}

const tellPrimary = (said: SlotRequest) => void (process.connected && process.send?.(said));
const isSlotReply = (message: unknown): message is SlotReply =>
  typeof message === 'object' && message !== null && 'streams' in message;
const isSlotRequest = (message: unknown): message is SlotRequest => isSlotReply(message);

/**
 * Reserves a place for a stream; of several workers it is the primary that counts.
 * @throws too_many_requests; the returned function gives the place to the stream
 */
export async function acquireStreamSlot(kind: Kind, key: string, limited: boolean): Promise<(stream: Stream) => void> {
  if (!limited) return () => {};
  const got = cluster.isWorker ? await askPrimary(kind, key) : own.take(kind, key);
  if (!got) {
    throw new AppError('too_many_requests', 'Too many live connections. Close another tab and try again.', {
      retryAfterSeconds: 10,
    });
  }
  return (stream) =>
    stream.onClose(() => (cluster.isWorker ? tellPrimary({ streams: 'free', kind, key }) : own.free(kind, key)));
}

/** Makes this process the one that counts for its workers. What a worker held is free when it dies. */
export function countForWorkers(): void {
  const places = countSlots();
  const held = new Map<number, SlotRequest[]>();
  cluster.on('message', (worker: Worker, said: unknown) => {
    if (!isSlotRequest(said)) return;
    const { kind, key } = said;
    const its = held.get(worker.id) ?? [];
    if (said.streams === 'take') {
      const got = places.take(kind, key);
      if (got) held.set(worker.id, [...its, said]);
      worker.send({ streams: got ? 'taken' : 'full', turn: said.turn } satisfies SlotReply);
    } else {
      const at = its.findIndex((one) => one.kind === kind && one.key === key);
      if (at < 0) return;
      its.splice(at, 1);
      places.free(kind, key);
    }
  });
  cluster.on('exit', (worker: Worker) => {
    for (const { kind, key } of held.get(worker.id) ?? []) places.free(kind, key);
    held.delete(worker.id);
  });
}
