import type { Socket } from 'node:net';
import { handleCommands } from './child-process.ts';
import { openConnection } from './light-connection.ts';
import { addressOf, keepIds, nextPaths, type IdsByKind, type Lookups } from './lookup-paths.ts';

/** Lookups for a fixed time, each connection sending the next as soon as it has the last response. */
export interface LightLoad {
  url: string;
  connections: number;
  seconds: number;
  lookups: Lookups;
  /** Other statuses count as failed. */
  status: number;
}

export interface LightResult {
  perSecond: number;
  failed: number;
  /** CPU time of this client per request, in µs. */
  clientMicros: number;
}

// A quarter of autocannon's CPU time, so that on shared cores the client takes less from a fast server.
handleCommands(async (command: LightLoad | { ids: IdsByKind }) => {
  if (!('ids' in command)) return run(command);
  keepIds(command.ids);
  return null;
});

async function run({ url, connections, seconds, lookups, status }: LightLoad): Promise<LightResult> {
  const { hostname, port } = new URL(url);
  const requests = nextPaths(lookups).map((path, index) => {
    const from = lookups.addresses > 0 ? `X-Forwarded-For: ${addressOf(index % lookups.addresses)}\r\n` : '';
    return `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${from}\r\n`;
  });
  let next = 0;
  let done = 0;
  let failed = 0;
  let isOver = false;
  const opened = await Promise.all(
    Array.from({ length: connections }, () =>
      openConnection(hostname, Number(port), {
        answered(socket, received) {
          if (isOver) return;
          done++;
          if (received !== status) failed++;
          send(socket);
        },
        broken() {
          if (!isOver) failed++;
        },
      }),
    ),
  );
  const send = (socket: Socket) => socket.write(requests[next++ % requests.length] ?? '', 'latin1');
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  for (const socket of opened) send(socket);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  isOver = true;
  const took = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  for (const socket of opened) socket.destroy();
  return { perSecond: (done - failed) / took, failed, clientMicros: (user + system) / Math.max(1, done) };
}
