import { createServer, type OutgoingHttpHeaders } from 'node:http';
import pino from 'pino';
import { inspectServer } from '../../server/src/platform/database/inspect-server.ts';
import { openPool } from '../../server/src/platform/database/db.ts';
import { withheldBefore } from '../../server/src/packages/public-view.ts';
import { openLookup } from '../../server/src/tracking/queries.ts';
import { handleCommands } from '../child-process.ts';
import type { Connection } from '../databases.ts';
import { listen } from './listen.ts';

export interface Command {
  connection: Connection;
  headers: OutgoingHttpHeaders;
}

const now = () => new Date();

// Upper bound for a Node server that reads each view from PostgreSQL: the product's statement in the product's batches behind bare
// node:http, without routes, limits, time-outs, load shedding, request ids and logs.
handleCommands(async ({ connection, headers }: Command) => {
  const log = pino({ level: 'silent' });
  const { version } = await inspectServer(connection);
  const pool = openPool(connection, version, log, 2, { role: 'lookups' });
  const { find } = openLookup(pool, {
    recipient: async () => 'full',
    withheldBefore: () => withheldBefore(now()),
    arrivals: { now, msPerStop: 5 * 60_000 },
  });
  return listen(
    createServer((request, response) => {
      void find((request.url ?? '').slice('/api/track/'.length)).then((view) => {
        if (view === null) return response.writeHead(404).end();
        return response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(view) }).end(view);
      });
    }),
  );
});
