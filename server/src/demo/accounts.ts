import type { Logger } from 'pino';
import type { Queryable } from '../platform/database/db.ts';

export const demoAddress = (person: string) => `${person}@demo.example`;

/** Logs the accounts of an existing demo. Their password is stored as a hash only, so it cannot be logged again. */
export async function logDemoAccounts(db: Queryable, log: Logger): Promise<void> {
  const accounts = (['owner', 'driver', 'admin'] as const).map(demoAddress);
  const found = await db.query<{ email: string }>(
    'select email from users where email = any($1) and deleted_at is null order by array_position($1, email)',
    [accounts],
  );
  if (found.length === 0) return;
  log.info(
    `demo accounts: ${found.map(({ email }) => email).join(', ')}; their password stands in the log of the first start` +
      ' (lost? an empty DATA_DIR makes the demo anew)',
  );
}
