import { Socket } from 'node:net';
import type { Logger } from 'pino';
import { DatabaseClient } from './database-client.ts';
import { directOf, type Connection } from './database-url.ts';

export interface WatchedConnection {
  /** Opens connections that are watched: use it in place of the one that was given. */
  connection: Connection;
  close(): void;
}

const checkIntervalMs = 250;

/** Looks in a row that find nothing heard before the database counts as silent: the first asks it something, four more wait 1 s for that. */
const maxSilentChecks = 5;

/**
 * Watches all connections of a process for a database that has fallen silent: a network that swallows everything, a frozen host.
 * TCP notices after minutes, and a time-out short enough would end slow statements of a healthy database as well. Here a connection
 * may be quiet as long as any other is heard, or else a question on a connection of its own is answered. When nothing is, all are cut,
 * and new ones refused at once until the database has answered again: so that whoever asks is told within 2 s.
 *
 * It looks at how many bytes came in, four times a second: a query costs nothing more, and a busy database is asked nothing more.
 * Looks are counted, not time: after a pause of the process itself, what has arrived meanwhile is read before the next.
 */
export function startConnectionWatchdog(connection: Connection, log: Logger): WatchedConnection {
  const bytesRead = new Map<Socket, number>();
  const probes = new Set<DatabaseClient>();
  let openProbe: DatabaseClient | null = null;
  let silentChecks = 0;
  const isSilent = () => silentChecks >= maxSilentChecks;

  const open = () => {
    const socket = new Socket();
    bytesRead.set(socket, 0);
    return socket.once('close', () => bytesRead.delete(socket));
  };
  const refuseOrOpen = () => {
    if (!isSilent()) return open();
    const socket = new Socket();
    process.nextTick(() => socket.destroy(silenceError()));
    return socket;
  };

  const markAlive = () => {
    if (isSilent()) log.info('the database answers again');
    silentChecks = 0;
  };
  const hasReceivedBytes = () => {
    let received = false;
    for (const [socket, before] of bytesRead) {
      if (socket.bytesRead === before) continue;
      bytesRead.set(socket, socket.bytesRead);
      received = true;
    }
    return received;
  };

  /** A connection that is still being opened may hang: each look tries another, for a second. */
  const probe = async () => {
    if (openProbe) {
      await openProbe.query('select 1');
      return markAlive();
    }
    const client = new DatabaseClient({
      ...directOf(connection),
      stream: open,
      role: 'watch',
      connectionTimeoutMillis: checkIntervalMs * 4,
    });
    probes.add(client);
    const removeProbe = () => {
      probes.delete(client);
      if (openProbe === client) openProbe = null;
    };
    client.on('error', removeProbe);
    client.on('end', removeProbe);
    try {
      await client.connect();
      markAlive();
      if (openProbe || !probes.has(client)) await client.end();
      else openProbe = client;
    } finally {
      if (openProbe !== client) probes.delete(client);
    }
  };

  const checkTimer = setInterval(() => {
    if (hasReceivedBytes()) return markAlive();
    silentChecks++;
    if (silentChecks === maxSilentChecks) {
      log.error({ connections: bytesRead.size }, 'the database has fallen silent: its connections are cut');
      for (const socket of bytesRead.keys()) socket.destroy(silenceError());
    }
    // Refused, cut or too late: the next look asks again.
    if (silentChecks === 1 || isSilent()) probe().catch(() => {});
  }, checkIntervalMs).unref();

  return {
    connection: {
      ...connection,
      stream: refuseOrOpen,
      ...(connection.direct && { direct: { ...connection.direct, stream: refuseOrOpen } }),
    },
    close() {
      clearInterval(checkTimer);
      for (const client of probes) client.end().catch(() => {});
      probes.clear();
    },
  };
}

const silenceError = () => new Error('Connection terminated: the database is silent');
