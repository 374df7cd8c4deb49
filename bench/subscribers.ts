import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { handleCommands } from './child-process.ts';
import { now } from './monotonic-clock.ts';

/** Opens streams, or returns the events received since the last call. Raw sockets, so that 5,000 streams cost little CPU. */
export type Command = { open: string[]; host: string; port: number } | 'arrivals';

/** An event received on a stream: the change that it reports, identified by the package's update time, and the time of arrival. */
export interface Arrival {
  changedAt: string;
  trackingId: string;
  /** Time of `now()`, in ms. */
  at: number;
}

/** The concurrency of opening streams; lower than the listen backlog of a server. */
const openConcurrency = 100;

let arrivals: Arrival[] = [];

/** Resolves when the stream has sent the initial state. */
function follow(host: string, port: number, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\n\r\n`),
    );
    socket.setEncoding('utf8');
    let unread = '';
    let opened = false;
    socket.on('data', (text: string) => {
      const at = now();
      const parts = (unread + text).split('\n\n');
      unread = parts.pop() ?? '';
      for (const part of parts) {
        const view = /"trackingId" ?: ?"([^"]+)".*"lastUpdate" ?: ?"([^"]+)"/.exec(part);
        if (!view) continue;
        if (opened) arrivals.push({ trackingId: view[1] ?? '', changedAt: view[2] ?? '', at });
        opened = true;
        resolve();
      }
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server ended a stream')));
  });
}

async function openAll({ open, host, port }: { open: string[]; host: string; port: number }): Promise<Arrival[]> {
  for (let done = 0; done < open.length; done += openConcurrency) {
    await Promise.all(open.slice(done, done + openConcurrency).map((path) => follow(host, port, path)));
  }
  return [];
}

/** Waits until no event arrives for a second. @returns the events since the last call */
async function waitForQuiet(): Promise<Arrival[]> {
  for (let count = -1; count !== arrivals.length; await sleep(1000)) count = arrivals.length;
  const all = arrivals;
  arrivals = [];
  return all;
}

handleCommands((command: Command) => (command === 'arrivals' ? waitForQuiet() : openAll(command)));
