import {
  permissionsInForce,
  type Permission,
  type ProfileInput,
  type Role,
  type User,
  type UserStatus,
} from '@waybill/contract';
import type { Queryable, Tx } from '../platform/db.ts';

export interface UserRow {
  id: string;
  name: string;
  email: string;
  password_hash: string;
  role: Role;
  permissions: Permission[] | null;
  status: UserStatus;
  phone: string | null;
  profile_picture: string | null;
  years_of_experience: number | null;
  vehicle_type: string | null;
  vehicle_model: string | null;
  vehicle_license_plate: string | null;
  current_location: string | null;
  last_login_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export function asUser(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    roleId: null,
    permissions: row.permissions,
    permissionsInForce: [...permissionsInForce(row)],
    status: row.status,
    lastLogin: row.last_login_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    phone: row.phone,
    profilePicture: row.profile_picture,
    yearsOfExperience: row.years_of_experience,
    vehicleInfo: asVehicle(row),
    currentLocation: row.current_location,
  };
}

export function asVehicle(
  row: Pick<UserRow, 'vehicle_type' | 'vehicle_model' | 'vehicle_license_plate'>,
): User['vehicleInfo'] {
  if (!row.vehicle_type && !row.vehicle_model && !row.vehicle_license_plate) return null;
  return { type: row.vehicle_type, model: row.vehicle_model, licensePlate: row.vehicle_license_plate };
}

export async function findUser(db: Queryable, id: string): Promise<UserRow | null> {
  const [row] = await db.query<UserRow>('select * from users where id = $1', [id]);
  return row ?? null;
}

export async function findUserByEmail(db: Queryable, email: string): Promise<UserRow | null> {
  const [row] = await db.query<UserRow>('select * from users where email = $1', [email]);
  return row ?? null;
}

export async function lockUser(tx: Tx, id: string): Promise<UserRow | null> {
  const [row] = await tx.query<UserRow>('select * from users where id = $1 for update', [id]);
  return row ?? null;
}

export interface NewUser {
  id: string;
  name: string;
  email: string;
  passwordHash: string;
  role: Role;
  status: UserStatus;
}

/** @returns the row, or null when the address is taken */
export async function insertUser(tx: Tx, user: NewUser): Promise<UserRow | null> {
  const [row] = await tx.query<UserRow>(
    `insert into users (id, name, email, password_hash, role, status) values ($1, $2, $3, $4, $5, $6)
     on conflict (email) do nothing returning *`,
    [user.id, user.name, user.email, user.passwordHash, user.role, user.status],
  );
  return row ?? null;
}

export async function setLastLogin(tx: Tx, id: string): Promise<UserRow | null> {
  const [row] = await tx.query<UserRow>('update users set last_login_at = now() where id = $1 returning *', [id]);
  return row ?? null;
}

export async function setPasswordHash(tx: Tx, id: string, passwordHash: string): Promise<void> {
  await tx.query('update users set password_hash = $2, updated_at = now() where id = $1', [id, passwordHash]);
}

/** Changes only what the input names: a field left out keeps its value, a null clears it. */
export async function setProfile(tx: Tx, id: string, profile: ProfileInput): Promise<UserRow | null> {
  const vehicle = profile.vehicleInfo;
  const [row] = await tx.query<UserRow>(
    `update users set
       name = coalesce($2, name),
       phone = case when $3 then $4 else phone end,
       years_of_experience = case when $5 then $6::integer else years_of_experience end,
       vehicle_type = case when $7 then $8 else vehicle_type end,
       vehicle_model = case when $7 then $9 else vehicle_model end,
       vehicle_license_plate = case when $7 then $10 else vehicle_license_plate end,
       current_location = case when $11 then $12 else current_location end,
       updated_at = now()
     where id = $1 returning *`,
    [
      id,
      profile.name ?? null,
      profile.phone !== undefined,
      profile.phone ?? null,
      profile.yearsOfExperience !== undefined,
      profile.yearsOfExperience ?? null,
      vehicle !== undefined,
      vehicle?.type ?? null,
      vehicle?.model ?? null,
      vehicle?.licensePlate ?? null,
      profile.currentLocation !== undefined,
      profile.currentLocation ?? null,
    ],
  );
  return row ?? null;
}

export async function setAccount(
  tx: Tx,
  id: string,
  account: { name: string; role: Role; status: UserStatus; permissions: Permission[] | null },
): Promise<UserRow | null> {
  const [row] = await tx.query<UserRow>(
    'update users set name = $2, role = $3, status = $4, permissions = $5, updated_at = now() where id = $1 returning *',
    [id, account.name, account.role, account.status, account.permissions],
  );
  return row ?? null;
}

/** Active users who have a permission in force: by their own list, or else by one of these roles. */
export async function listHolders(db: Queryable, permission: Permission, roles: Role[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from users
     where status = 'active' and case when permissions is null then role = any($2) else $1 = any(permissions) end`,
    [permission, roles],
  );
  return rows.map((row) => row.id);
}

/** Locks all active administrators, in one order, so that two of them cannot take each other's rights at once. */
export async function lockActiveAdmins(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    "select id from users where role = 'admin' and status = 'active' order by id for update",
  );
  return rows.map((row) => row.id);
}

export async function hasAdmin(db: Queryable): Promise<boolean> {
  const rows = await db.query("select 1 from users where role = 'admin' limit 1");
  return rows.length > 0;
}

export interface SessionRow {
  id: string;
  created_at: Date;
  last_used_at: Date;
  user_agent: string | null;
}

export const listSessions = (db: Queryable, userId: string) =>
  db.query<SessionRow>(
    `select id, created_at, last_used_at, user_agent from sessions
     where user_id = $1 and last_used_at > now() - interval '7 days' and created_at > now() - interval '30 days'
     order by last_used_at desc`,
    [userId],
  );

/** @returns the ids of the sessions that ended */
export async function deleteSessions(
  tx: Tx,
  userId: string,
  which: { only?: string; except?: string },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `delete from sessions
     where user_id = $1 and ($2::uuid is null or id = $2) and ($3::uuid is null or id <> $3) returning id`,
    [userId, which.only ?? null, which.except ?? null],
  );
  return rows.map((row) => row.id);
}
