import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DatabaseClient } from '../database/database-client.ts';
import { directOf, type Connection } from '../database/database-url.ts';

export interface LiveOptions {
  /** Poll interval in ms; the fallback for lost wake-ups. */
  pollMs?: number;
  /** Whether commits send wake-ups. Off only in the test that shows that polling alone suffices. */
  wakeUps?: boolean;
}

export interface Live {
  /** Wakes all processes on this database: the outbox has new rows, and jobs wait if `jobs`. Cheap. Call it after the commit, never within. */
  wake(committed: { jobs: boolean }): void;
  close(): Promise<void>;
}

const channel = 'waybill_live';
const jobsPayload = 'jobs';

/** Commits within this time are coalesced into one NOTIFY. */
const batchMs = 5;

/**
 * Calls `onWake` in every process after commits, and every `pollMs` as a fallback; `onJobs` after commits that enqueued jobs (the queue
 * has its own poll as a fallback).
 *
 * NOTIFY is sent after the commit, on this one connection, and coalesced for 5 ms: within the writing transactions it would hold a
 * database-wide lock across each commit's fsync (measured: 754 instead of 4,213 transactions/s). While this connection is lost, it waits
 * for the next one. With the process it is lost for good, hence the poll.
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

  // One read at a time. Wake-ups during a read are coalesced into one more read.
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
        // Not 'listener', the role of older servers that read events instead of the outbox: writers detect those by it (events/record.ts).
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
        // `close` may have run meanwhile, when there was no client to end.
        if (!closed) {
          read(); // what was committed before this process listened
          if (unsent) sendTimer ??= setTimeout(send, 0);
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
  // One NOTIFY at a time: commits during one are covered by the next.
  let sending = false;
  let withJobs = false;
  /** There was no connection to send it on: it is sent as soon as there is one. */
  let unsent = false;
  const send = () => {
    if (sending) {
      sendTimer = setTimeout(send, batchMs);
      return;
    }
    sendTimer = null;
    unsent = client === null;
    if (client === null) return;
    sending = true;
    const payload = withJobs ? jobsPayload : '';
    withJobs = false;
    client
      .query(`notify ${channel}, '${payload}'`)
      .catch(() => {
        unsent = true;
        withJobs ||= payload === jobsPayload;
      })
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
