import { defineCommand } from './command.ts';
import { withDatabase } from './database.ts';

export const migrateCommand = defineCommand(
  {
    help: `npm run cli -- migrate

Brings the database up to this version. The server does the same at its start.`,
    options: {},
  },
  () => withDatabase(async () => console.log('The database is up to date.')),
);
