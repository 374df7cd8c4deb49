import { countExpired, purge } from '../privacy/retention.ts';
import { defineCommand } from './command.ts';
import { withProduct } from './database.ts';

export const purgeCommand = defineCommand(
  {
    help: `npm run cli -- purge [--dry-run]

Removes what is not to be kept any longer, and tells how much of each kind: what has expired, unread notifications after a year, and
read notifications, reports of imports and recipients after the periods of RETENTION_NOTIFICATIONS_DAYS, RETENTION_RECIPIENT_DAYS or
/admin/settings. The server does the same each hour. Figures, events and the audit log stay.

  --dry-run  only counts`,
    options: { 'dry-run': { type: 'boolean', default: false } },
  },
  (values) =>
    withProduct(async (ctx) => {
      if (values['dry-run']) {
        printCounts(await countExpired(ctx));
        return 0;
      }
      const done = await purge(ctx);
      if (!done) throw new Error('The server, or another purge, is at it right now.');
      printCounts(done.removed);
      for (const fault of done.faults) console.error(fault);
      return done.faults.length > 0 ? 1 : 0;
    }),
);

function printCounts(counts: Record<string, number>): void {
  for (const [name, count] of Object.entries(counts)) console.log(`${String(count).padStart(8)} ${name}`);
}
