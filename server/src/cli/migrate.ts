import { inspectServer } from '../platform/database/inspect-server.ts';
import { migrate } from '../platform/database/migrate.ts';
import { defineCommand } from './command.ts';
import { withPostgres } from './database.ts';

export const migrateCommand = defineCommand(
  {
    help: `npm run cli -- migrate [--post-deployment]

Brings the database up to this version. The server does the same at its start.

--post-deployment also removes what only servers of older versions use, even if other servers are connected. Run it when all servers
have been upgraded: older ones fail from then on, and do not start again.`,
    options: { 'post-deployment': { type: 'boolean', default: false } },
  },
  ({ 'post-deployment': postDeployment }) =>
    withPostgres(async ({ connection }) => {
      await inspectServer(connection);
      const pending = await migrate(connection, console.log, { postDeployment });
      if (pending.length === 0) console.log('The database is up to date.');
    }),
);
