import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DatabaseClient } from '../database/database-client.ts';
import { directOf, type Connection } from '../database/database-url.ts';

export interface LiveOptions {
  /** How often to look unasked, in ms; the net under lost wake-ups. */
  pollMs?: number;
  /** Whether commits wake listeners at all. Off only in the test that shows the poll alone suffices. */
  wakeUps?: boolean;
}

export interface Live {
  /** Tells every process on this database that there is something to read, and whether jobs wait. Cheap; call it after a commit, never inside. */
  wake(committed: { jobs: boolean }): void;
  close(): Promise<void>;
}

const channel = 'waybill_live';
const jobsPayload = 'jobs';

/** How long commits are gathered into one NOTIFY. */
const batchMs = 5;

/**
 * Wakes `onWake` in every process after commits, and at least every `pollMs` by itself; `onJobs` after those that left jobs,
 * for which the queue has a poll of its own.
 *
 * The NOTIFY goes out after the commit on this one connection, gathered for 5 ms: inside the writing transactions it would take
 * a database-wide lock across each commit's fsync (measured: 4,213 -> 754 transactions/s). So it may be lost, and the poll is the net.
 */
export function openLive(
  connection: Connection,
  log: Logger,
  { onWake, onJobs }: { onWake: () => Promise<void>; onJobs: () => void },
  { pollMs = 3000, wakeUps = true }: LiveOptions = {},
): Live {
  let client: DatabaseClient | null = null;
  let closed = false;
  let sendTimer: NodeJS.Timeout | null = null;
  let reading: Promise<void> | null = null;
  let readAgain = false;
  let readAt = 0;

  // One reader at a time; whatever arrives meanwhile is one more reading afterwards.
  const read = () => {
    if (reading) {
      readAgain = true;
      return;
    }
    readAt = performance.now();
    reading = onWake()
      .catch((error: unknown) => log.warn({ reason: reasonOf(error) }, 'live updates could not be read; trying again'))
      .finally(() => {
        reading = null;
        if (readAgain && !closed) {
          readAgain = false;
          read();
        }
      });
  };

  const listen = async () => {
    for (let pause = 50; !closed; pause = Math.min(pause * 2, 1000)) {
      const candidate = new DatabaseClient({
        ...directOf(connection),
        // Not 'listener', as it was while events were read instead of the outbox: writers tell by it who listens (events/record.ts).
        role: 'outbox listener',
        connectionTimeoutMillis: 2000,
        keepAlive: true,
      });
      const lost = new Promise<void>((resolve) => {
        candidate.on('error', () => resolve());
        candidate.on('end', () => resolve());
      });
      try {
        await candidate.connect();
        if (wakeUps) await candidate.query(`listen ${channel}`);
        candidate.on('notification', ({ payload }) => {
          if (payload === jobsPayload) onJobs();
          read();
        });
        client = candidate;
        pause = 50;
        // A close that came in the meantime found no client to end.
        if (!closed) {
          read(); // whatever happened while nobody listened
          await lost;
        }
      } catch (error) {
        log.debug({ reason: reasonOf(error) }, 'no connection for live updates');
      }
      client = null;
      await candidate.end().catch(() => {});
      if (!closed) await sleep(pause);
    }
  };
  // One at a time on the connection: what commits while one is under way is told by the next.
  let sending = false;
  let withJobs = false;
  const send = () => {
    if (sending) {
      sendTimer = setTimeout(send, batchMs);
      return;
    }
    sendTimer = null;
    sending = true;
    const payload = withJobs ? jobsPayload : '';
    withJobs = false;
    Promise.resolve(client?.query(`notify ${channel}, '${payload}'`))
      .catch(() => {})
      .finally(() => (sending = false));
  };
  const listening = listen();
  const poll = setInterval(read, pollMs);

  return {
    wake({ jobs }) {
      withJobs ||= jobs;
      if (!wakeUps) return;
      sendTimer ??= setTimeout(send, batchMs);
      // The process that committed need not wait for its own NOTIFY. In a burst of commits the NOTIFY comes soon enough.
      if (performance.now() - readAt > batchMs) read();
    },
    async close() {
      closed = true;
      clearInterval(poll);
      if (sendTimer) clearTimeout(sendTimer);
      await client?.end().catch(() => {});
      await listening;
      await reading;
    },
  };
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
