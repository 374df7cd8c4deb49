import { dayIn, type Client } from '@waybill/contract';
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

/** Signs in the demo's drivers who have a route to drive today. All accounts of the demo have the password of its administrator. */
export async function signInDemoDrivers(
  api: (token: string | null) => Client,
  admin: { email: string; password: string },
): Promise<{ id: string; token: string }[]> {
  const { auth } = api(null);
  const { routes, users, depots } = api((await auth.login({ body: admin })).token);
  const ids = new Set<string>();
  for (const { id: depotId, timeZone } of await depots.list()) {
    const { items } = await routes.list({ query: { day: dayIn(timeZone, new Date()), depotId, limit: 200 } });
    for (const { driverId, state } of items) if (driverId !== null && state !== 'finished') ids.add(driverId);
  }
  const { items: found } = await users.list({ query: { role: 'driver', q: demoAddress(''), limit: 200 } });
  const own = found.filter(({ id, email }) => ids.has(id) && email.endsWith(demoAddress('')));
  return Promise.all(own.map(({ email }) => auth.login({ body: { email, password: admin.password } })));
}
