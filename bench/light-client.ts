import { connect, type Socket } from 'node:net';
import { handleCommands } from './child-process.ts';
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

// Raw sockets, keep-alive, no pipelining, and only as much parsing as finds the end of a response: a quarter of autocannon's CPU time, so
// that on shared cores the client takes less from a fast server.
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
      open(hostname, Number(port), {
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

interface Handlers {
  answered(socket: Socket, status: number): void;
  broken(): void;
}

/** Reads responses with a Content-Length, which may come in any number of chunks. */
function open(host: string, port: number, { answered, broken }: Handlers): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let head = '';
    let status = 0;
    /** Bytes of the response that are still to come; -1 while its header is incomplete. */
    let missing = -1;
    const read = (size: number, buffer: Uint8Array) => {
      if (missing < 0) {
        head += (buffer as Buffer).toString('latin1', 0, size);
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return true;
        status = Number(head.slice(9, 12));
        const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
        if (length === undefined) {
          broken();
          socket.destroy();
          return false;
        }
        missing = end + 4 + Number(length) - head.length;
      } else missing -= size;
      if (missing > 0) return true;
      head = '';
      missing = -1;
      answered(socket, status);
      return true;
    };
    const onread = { buffer: Buffer.allocUnsafeSlow(64 * 1024), callback: read };
    const socket = connect({ host, port, noDelay: true, onread }, () => resolve(socket));
    socket.on('error', reject);
    socket.on('close', broken);
  });
}
