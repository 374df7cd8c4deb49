import { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from 'pino';
import { DatabaseClient } from './database-client.ts';
import { directOf, type Connection } from './database-url.ts';

export interface WatchedConnection {
  /** Opens watched sockets. Use it in place of the connection that was passed in. */
  connection: Connection;
  close(): void;
}

const checkIntervalMs = 250;

/** Consecutive checks without incoming bytes until the database counts as silent: the first sends a probe, four more wait 1 s for the answer. */
const maxSilentChecks = 5;

/**
 * Watchdog over all database connections of a process, for a database that no longer answers: packets dropped by the network, a frozen host.
 * TCP notices that only after minutes, and a query time-out short enough would also end slow statements of a healthy database. So a
 * connection may be quiet while any other receives bytes, or while a probe on a separate connection is answered. If neither happens, the
 * watchdog destroys all connections and refuses new ones until the database answers again. Requests then fail within 2 s instead of hanging.
 *
 * It compares `bytesRead` of the sockets four times a second, so queries cost nothing extra and a busy database gets no probes.
 * It counts checks, not time: after a pause of this process (GC, suspend), pending bytes are read before the next check.
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

  /** Queries the open probe connection, or opens one with a 1 s time-out. Connecting may hang too, so each check tries a new one. */
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

  /** A refusal is an answer too: the server may have no connection left for the probe. Other errors are ignored: the next check probes again. */
  const noteAnswer = (error: unknown) => {
    if (error instanceof pg.DatabaseError) markAlive();
  };

  const checkTimer = setInterval(() => {
    if (hasReceivedBytes()) return markAlive();
    silentChecks++;
    if (silentChecks === maxSilentChecks) {
      log.error({ connections: bytesRead.size }, 'the database has fallen silent: its connections are cut');
      for (const socket of bytesRead.keys()) socket.destroy(silenceError());
    }
    if (silentChecks === 1 || isSilent()) probe().catch(noteAnswer);
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
