import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerQuestions } from './child.ts';
import { now } from './clock.ts';

/** Opens streams and, when asked, tells what came in since: on raw sockets, so that 5,000 of them cost this process little. */
export type Ask = { open: string[]; host: string; port: number } | 'arrivals';

/** An event of a stream: which change it told, by the time the change gave the package, and when it came in. */
export interface Arrival {
  changedAt: string;
  trackingId: string;
  /** By `now`. */
  at: number;
}

/** So many at once while opening: fewer than a server's backlog takes. */
const openAtOnce = 100;

let arrivals: Arrival[] = [];

/** Resolves when the stream has sent the present state. */
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
  for (let done = 0; done < open.length; done += openAtOnce) {
    await Promise.all(open.slice(done, done + openAtOnce).map((path) => follow(host, port, path)));
  }
  return [];
}

/** What has come in, once nothing more does. */
async function settled(): Promise<Arrival[]> {
  for (let count = -1; count !== arrivals.length; await sleep(1000)) count = arrivals.length;
  const all = arrivals;
  arrivals = [];
  return all;
}

answerQuestions((ask: Ask) => (ask === 'arrivals' ? settled() : openAll(ask)));
