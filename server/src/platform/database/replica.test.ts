import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openLog } from '../../observability/log.ts';
import type { Pool } from './db.ts';
import { openReplica } from './replica.ts';

test('the primary answers in place of a replica that takes connections and never answers, which only one read tries again', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const position = [{ lsn: '0/1', timeline: 1, system: '1' }];
  const primary = {
    query: (sql: string) => Promise.resolve(sql.includes('pg_current_wal_lsn') ? position : [{ from: 'the primary' }]),
  } as Pool;
  const { port } = silent.address() as AddressInfo;
  const replica = openReplica({
    primary,
    connection: { host: '127.0.0.1', port, user: 'waybill', database: 'waybill' },
    serverVersion: 18,
    log: openLog('silent'),
    exportSettings: {},
  });
  onTestFinished(() => replica.close());
  const reads = replica.reads(primary, 'lookups', 2, 50);
  const readTwenty = () => Promise.all(Array.from({ length: 20 }, () => reads.query('select name')));
  const expected = Array.from({ length: 20 }, () => [{ from: 'the primary' }]);
  expect(await readTwenty()).toEqual(expected);
  const tried = sockets.length;
  expect(tried).toBeGreaterThan(0);
  expect(await readTwenty()).toEqual(expected);
  // One more, should the machine have stood still for so long that it is tried again.
  expect(sockets.length).toBeLessThanOrEqual(tried + 1);
  expect(replica.counts()).toEqual({ replica: 0, primary: 40 });
});
