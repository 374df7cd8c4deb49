import type { Permission } from '@waybill/contract';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { userColumns, type UserRow } from './queries.ts';

export interface RoleRow {
  id: string;
  name: string;
  description: string;
  permissions: Permission[];
  is_active: boolean;
}

const roleColumns = 'id, name, description, permissions, is_active';

export const listRoles = (db: Queryable) => db.query<RoleRow>(`select ${roleColumns} from roles order by lower(name)`);

/** The number of users by role: by the ID of a custom role or the name of a built-in one. */
export async function countHolders(db: Queryable): Promise<Map<string, number>> {
  const rows = await db.query<{ held: string; users: string }>(
    `select coalesce(role_id::text, role) as held, count(*) as users from users where deleted_at is null
     group by coalesce(role_id::text, role)`,
  );
  return new Map(rows.map(({ held, users }) => [held, Number(users)]));
}

export async function findRole(db: Queryable, id: string): Promise<RoleRow | null> {
  const [row] = await db.query<RoleRow>(`select ${roleColumns} from roles where id = $1`, [id]);
  return row ?? null;
}

type NewRole = Pick<RoleRow, 'id' | 'name' | 'description' | 'permissions'> & { isActive: boolean };

/** @returns the row, or null when the name is taken */
export async function insertRole(tx: Tx, { id, name, description, permissions, isActive }: NewRole) {
  const [row] = await tx.query<RoleRow>(
    `insert into roles (id, name, description, permissions, is_active) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning ${roleColumns}`,
    [id, name, description, permissions, isActive],
  );
  return row ?? null;
}

/** @returns the row, or null when another role has this name */
export async function setRole(tx: Tx, { id, name, description, permissions, isActive }: NewRole) {
  const [row] = await tx.query<RoleRow>(
    `update roles set name = $2, description = $3, permissions = $4, is_active = $5, updated_at = now()
     where id = $1 and not exists (select from roles where lower(name) = lower($2) and id <> $1) returning ${roleColumns}`,
    [id, name, description, permissions, isActive],
  );
  return row ?? null;
}

export async function deleteRole(tx: Tx, id: string): Promise<void> {
  await tx.query('delete from roles where id = $1', [id]);
}

export const listHolders = (db: Queryable, roleId: string) =>
  db.query<UserRow>(`select ${userColumns} from users where role_id = $1 and deleted_at is null`, [roleId]);
