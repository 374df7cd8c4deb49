import { Socket } from 'node:net';
import type { Logger } from 'pino';
import { DatabaseClient } from './database-client.ts';
import { directOf, type Connection } from './database-url.ts';

export interface Watched {
  /** Opens connections that are watched: use it in place of the one that was given. */
  connection: Connection;
  close(): void;
}

const checkEveryMs = 250;

/** Looks in a row that find nothing heard before the database counts as silent: the first asks it something, four more wait 1 s for that. */
const missedChecks = 5;

/**
 * Watches all connections of a process for a database that has fallen silent: a network that swallows everything, a frozen host.
 * TCP notices after minutes, and a time-out short enough would end slow statements of a healthy database as well. Here a connection
 * may be quiet as long as any other is heard, or else a question on a connection of its own is answered. When nothing is, all are cut,
 * and new ones refused at once until the database has answered again: so that whoever asks is told within 2 s.
 *
 * It looks at how many bytes came in, four times a second: a query costs nothing more, and a busy database is asked nothing more.
 * Looks are counted, not time: after a pause of the process itself, what has arrived meanwhile is read before the next.
 */
export function startConnectionWatchdog(connection: Connection, log: Logger): Watched {
  const read = new Map<Socket, number>();
  const asking = new Set<DatabaseClient>();
  let asked: DatabaseClient | null = null;
  let vain = 0;
  const isSilent = () => vain >= missedChecks;

  const open = () => {
    const socket = new Socket();
    read.set(socket, 0);
    return socket.once('close', () => read.delete(socket));
  };
  const refuseOrOpen = () => {
    if (!isSilent()) return open();
    const socket = new Socket();
    process.nextTick(() => socket.destroy(cutOff()));
    return socket;
  };

  const hear = () => {
    if (isSilent()) log.info('the database answers again');
    vain = 0;
  };
  const hasHeard = () => {
    let heard = false;
    for (const [socket, before] of read) {
      if (socket.bytesRead === before) continue;
      read.set(socket, socket.bytesRead);
      heard = true;
    }
    return heard;
  };

  /** A connection that is still being opened may hang: each look tries another, for a second. */
  const ask = async () => {
    if (asked) {
      await asked.query('select 1');
      return hear();
    }
    const client = new DatabaseClient({
      ...directOf(connection),
      stream: open,
      role: 'watch',
      connectionTimeoutMillis: checkEveryMs * 4,
    });
    asking.add(client);
    const forget = () => {
      asking.delete(client);
      if (asked === client) asked = null;
    };
    client.on('error', forget);
    client.on('end', forget);
    try {
      await client.connect();
      hear();
      if (asked || !asking.has(client)) await client.end();
      else asked = client;
    } finally {
      if (asked !== client) asking.delete(client);
    }
  };

  const look = setInterval(() => {
    if (hasHeard()) return hear();
    vain++;
    if (vain === missedChecks) {
      log.error({ connections: read.size }, 'the database has fallen silent: its connections are cut');
      for (const socket of read.keys()) socket.destroy(cutOff());
    }
    // Refused, cut or too late: the next look asks again.
    if (vain === 1 || isSilent()) ask().catch(() => {});
  }, checkEveryMs).unref();

  return {
    connection: {
      ...connection,
      stream: refuseOrOpen,
      ...(connection.direct && { direct: { ...connection.direct, stream: refuseOrOpen } }),
    },
    close() {
      clearInterval(look);
      for (const client of asking) client.end().catch(() => {});
      asking.clear();
    },
  };
}

const cutOff = () => new Error('Connection terminated: the database is silent');
