import type { Queryable } from '../database/db.ts';

/** Reads a secret that a migration generated. @throws if there is none of this name */
export async function readSecret(db: Queryable, name: string): Promise<Buffer> {
  const [row] = await db.query<{ value: Buffer }>('select value from secrets where name = $1', [name]);
  if (!row) throw new Error(`the database has no secret '${name}'`);
  return row.value;
}
