import { people } from '../demo/story.ts';
import { demoAddress } from '../demo/accounts.ts';
import { makeDemo } from '../demo/demo.ts';
import { hasUsers } from '../users/service.ts';
import { defineCommand } from './command.ts';
import { withProduct } from './database.ts';

export const seedCommand = defineCommand(
  {
    help: `npm run cli -- seed [--force]

Fills an empty database with the demo: owners, drivers, an administrator and 90 days of packages. Tells its accounts and
their password. All of it or nothing: what fails half-way leaves the database as it was.

  --force   also where there are accounts already; the demo comes beside them`,
    options: { force: { type: 'boolean' } },
  },
  ({ force }) =>
    withProduct(async (ctx) => {
      if (!force && (await hasUsers(ctx.db)))
        throw new Error(
          'The database is not empty: nothing was changed. With --force the demo is added beside what is there.',
        );
      const password = await makeDemo(ctx);
      console.log(`Demo accounts, each with the password ${password}\n`);
      for (const [person, { name, role }] of Object.entries(people))
        console.log(`  ${demoAddress(person).padEnd(24)}${role.padEnd(8)}${name}`);
    }),
);
