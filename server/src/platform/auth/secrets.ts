import type { Queryable } from '../database/db.ts';

/** Reads a secret that a migration generated. @throws if there is none of this name */
export async function readSecret(db: Queryable, name: string): Promise<Buffer> {
  const [row] = await db.query<{ value: Buffer }>('select value from secrets where name = $1', [name]);
  if (!row) throw new Error(`the database has no secret '${name}'`);
  return row.value;
}

/** Reads a secret, after making it if there is none yet. Of several processes that start at once all get the same. */
export async function makeSecret(db: Queryable, name: string, make: () => Buffer): Promise<Buffer> {
  const found = await db.query('select from secrets where name = $1', [name]);
  if (found.length === 0)
    await db.query('insert into secrets (name, value) values ($1, $2) on conflict do nothing', [name, make()]);
  return readSecret(db, name);
}
