import { readConfig } from '../server/src/config.ts';
import { openLog } from '../server/src/observability/log.ts';
import type { Connection } from '../server/src/platform/database/db.ts';
import { openServer } from '../server/src/server.ts';

/** For a process of the product that runs its jobs by a clock that goes faster. */
export interface SendingProcess {
  connection: Connection;
  config: Record<string, string>;
  /** Where its clock began, by the real one, and how many times as fast it goes. */
  began: number;
  speed: number;
}

process.once('message', (message) => void serve(message as SendingProcess));
process.on('disconnect', () => process.exit());

async function serve({ connection, config, began, speed }: SendingProcess): Promise<void> {
  const log = openLog(process.env.TEST_LOG ?? 'silent');
  const now = () => new Date(began + (Date.now() - began) * speed);
  await openServer({ config: readConfig(config), connection, log, runsJobs: true, now });
  process.send?.('ready');
}
