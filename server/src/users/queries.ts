import {
  builtInRoles,
  effectivePermissions,
  type PackageStatus,
  type Permission,
  type PermissionHolder,
  type ProfileInput,
  type Role,
  type User,
  type UserStatus,
  type VehicleSkill,
} from '@waybill/contract';
import { imageUrl } from '../images/names.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';

/** The columns of a UserRow. Every query here leaves out deleted users. */
export const userColumns = `id, name, email, password_hash, role, role_id, permissions, permissions_of_role(role_id) as custom_role_permissions,
  must_change_password, second_factor, password_reset_requested_at, status, awaiting_approval, phone, profile_picture, years_of_experience,
  vehicle_type, vehicle_model, vehicle_license_plate, vehicle_capacity_kg, vehicle_max_stops, vehicle_skills, vehicle_grams_per_km,
  current_location, start_lon, start_lat, end_lon, end_lat, return_street, return_postal_code, return_city, return_country,
  last_login_at, created_at, updated_at`;

/**
 * The statement with the UserRow of each row that it writes. In the `returning` clause itself Citus refuses functions that read tables.
 */
const writtenUsers = (statement: string): string =>
  `with written as (${statement} returning *) select ${userColumns} from written`;

export interface UserRow {
  id: string;
  name: string;
  email: string;
  password_hash: string;
  role: Role;
  role_id: string | null;
  permissions: Permission[] | null;
  custom_role_permissions: Permission[] | null;
  must_change_password: boolean;
  second_factor: boolean;
  password_reset_requested_at: Date | null;
  status: UserStatus;
  /** Meaningful only while the account is inactive. */
  awaiting_approval: boolean;
  phone: string | null;
  profile_picture: string | null;
  years_of_experience: number | null;
  vehicle_type: string | null;
  vehicle_model: string | null;
  vehicle_license_plate: string | null;
  vehicle_capacity_kg: number | null;
  vehicle_max_stops: number | null;
  vehicle_skills: VehicleSkill[];
  vehicle_grams_per_km: number | null;
  current_location: string | null;
  start_lon: number | null;
  start_lat: number | null;
  end_lon: number | null;
  end_lat: number | null;
  return_street: string | null;
  return_postal_code: string | null;
  return_city: string | null;
  return_country: string | null;
  last_login_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** The row in the shape that the contract's permission functions take. */
export const asHolder = (row: UserRow): PermissionHolder => ({
  ...row,
  customRolePermissions: row.custom_role_permissions,
});

const awaitsApproval = (row: UserRow) => row.awaiting_approval && row.status === 'inactive';

/** `awaitsApproval` as SQL. */
export const isAwaitingApproval = "awaiting_approval and status = 'inactive'";

export function asUser(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    roleId: row.role_id ?? builtInRoles[row.role].id,
    permissions: row.permissions,
    permissionsInForce: [...effectivePermissions(asHolder(row))],
    status: row.status,
    awaitsApproval: awaitsApproval(row),
    mustChangePassword: row.must_change_password,
    secondFactor: row.second_factor,
    passwordResetRequestedAt: row.password_reset_requested_at?.toISOString() ?? null,
    lastLogin: row.last_login_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    phone: row.phone,
    profilePicture: row.profile_picture && imageUrl(row.profile_picture),
    yearsOfExperience: row.years_of_experience,
    vehicleInfo: asVehicle(row),
    currentLocation: row.current_location,
    startPlace: asPin(row.start_lon, row.start_lat),
    endPlace: asPin(row.end_lon, row.end_lat),
    returnAddress: asReturnAddress(row),
  };
}

const asReturnAddress = (row: UserRow): User['returnAddress'] =>
  row.return_street === null || row.return_city === null
    ? null
    : {
        street: row.return_street,
        postalCode: row.return_postal_code,
        city: row.return_city,
        country: row.return_country,
      };

const asPin = (lon: number | null, lat: number | null): User['startPlace'] =>
  lon === null || lat === null ? null : { lon, lat, accuracy: 'pin', source: 'pin' };

function asVehicle(row: UserRow): User['vehicleInfo'] {
  const vehicle = {
    type: row.vehicle_type,
    model: row.vehicle_model,
    licensePlate: row.vehicle_license_plate,
    capacityKg: row.vehicle_capacity_kg,
    maxStops: row.vehicle_max_stops,
    skills: row.vehicle_skills,
    gramsPerKm: row.vehicle_grams_per_km,
  };
  const isKnown = Object.values(vehicle).some((value) => (Array.isArray(value) ? value.length > 0 : value !== null));
  return isKnown ? vehicle : null;
}

export async function findUser(db: Queryable, id: string): Promise<UserRow | null> {
  const [row] = await db.query<UserRow>(`select ${userColumns} from users where id = $1 and deleted_at is null`, [id]);
  return row ?? null;
}

export async function findUserByEmail(db: Queryable, email: string): Promise<UserRow | null> {
  const [row] = await db.query<UserRow>(`select ${userColumns} from users where email = $1 and deleted_at is null`, [
    email,
  ]);
  return row ?? null;
}

export async function lockUser(tx: Tx, id: string): Promise<UserRow | null> {
  const [row] = await tx.query<UserRow>(
    `select ${userColumns} from users where id = $1 and deleted_at is null for update`,
    [id],
  );
  return row ?? null;
}

/** Whether the account is active. If so, its row is locked: it is neither suspended nor deleted before the transaction ends. */
export async function lockActiveUser(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query("select from users where id = $1 and status = 'active' for key share", [id]);
  return rows.length > 0;
}

/**
 * Returns which of these accounts are active, with their rows locked as by `lockActiveUser`. Does not wait: rows that another transaction
 * has locked are left out.
 */
export async function lockActiveUsers(tx: Tx, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(
    "select id from users where id = any($1) and status = 'active' for key share skip locked",
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

export interface NewUser {
  id: string;
  name: string;
  email: string;
  passwordHash: string;
  role: Role;
  status: UserStatus;
  mustChangePassword?: boolean;
  roleId?: string | null;
  awaitingApproval?: boolean;
}

/** @returns the row, or null when the address is taken */
export async function insertUser(tx: Tx, user: NewUser): Promise<UserRow | null> {
  const [row] = await tx.query<UserRow>(
    writtenUsers(`insert into users (id, name, email, password_hash, role, status, must_change_password, one_time_until, role_id, awaiting_approval)
     values ($1, $2, $3, $4, $5, $6, $7, case when $7 then now() + interval '7 days' end, $8, $9)
     on conflict (email) do nothing`),
    [
      user.id,
      user.name,
      user.email,
      user.passwordHash,
      user.role,
      user.status,
      user.mustChangePassword ?? false,
      user.roleId ?? null,
      user.awaitingApproval ?? false,
    ],
  );
  return row ?? null;
}

/** Messages to the user are written in the given language from now on. @returns the row; null when the password has changed since, or it is an expired one-time password */
export async function setLastLogin(
  tx: Tx,
  id: string,
  passwordHash: string,
  language: string | null,
): Promise<UserRow | null> {
  const [row] = await tx.query<UserRow>(
    writtenUsers(`update users set last_login_at = now(), language = coalesce($3, language) where id = $1 and password_hash = $2 and deleted_at is null
       and (not must_change_password or one_time_until is null or one_time_until > now())`),
    [id, passwordHash, language],
  );
  return row ?? null;
}

/**
 * Sets a password that the user chose: clears a pending reset request and the need to change it, and deletes reset links.
 * @param verifiedHash the hash that the current password was verified against; null when a reset link authorizes the change
 * @returns false when the account's password has changed since it was verified
 */
export async function setPasswordHash(
  tx: Tx,
  id: string,
  passwordHash: string,
  verifiedHash: string | null,
): Promise<boolean> {
  const rows = await tx.query(
    `update users set password_hash = $2, must_change_password = false, password_reset_requested_at = null, updated_at = now()
     where id = $1 and deleted_at is null and ($3::text is null or password_hash = $3) returning id`,
    [id, passwordHash, verifiedHash],
  );
  await tx.query('delete from password_resets where user_id = $1', [id]);
  return rows.length > 0;
}

export const setSecondFactor = (tx: Tx, id: string, on: boolean) =>
  tx.query('update users set second_factor = $2, updated_at = now() where id = $1', [id, on]);

/** Replaces the user's reset link. @returns when the new one expires */
export async function setPasswordReset(
  tx: Tx,
  userId: string,
  tokenHash: Buffer,
  madeBy: string,
  hours = 1,
): Promise<Date> {
  const [row] = await tx.query<{ expires_at: Date }>(
    `insert into password_resets (user_id, token_hash, made_by, expires_at) values ($1, $2, $3, now() + make_interval(hours => $4))
     on conflict (user_id) do update
       set token_hash = excluded.token_hash, made_by = excluded.made_by, expires_at = excluded.expires_at
     returning expires_at`,
    [userId, tokenHash, madeBy, hours],
  );
  if (!row) throw new Error('the link was not written');
  return row.expires_at;
}

/** @returns the ID of the link's user; null when it is unknown or expired */
export async function findPasswordReset(db: Queryable, tokenHash: Buffer): Promise<string | null> {
  const [row] = await db.query<{ user_id: string }>(
    'select user_id from password_resets where token_hash = $1 and expires_at > now()',
    [tokenHash],
  );
  return row?.user_id ?? null;
}

/** Deletes a reset link as it is used. @returns the ID of its maker; null when it is unknown, expired or already used */
export async function consumePasswordReset(tx: Tx, tokenHash: Buffer): Promise<string | null> {
  const [row] = await tx.query<{ made_by: string | null }>(
    'delete from password_resets where token_hash = $1 and expires_at > now() returning made_by',
    [tokenHash],
  );
  return row?.made_by ?? null;
}

/** Deletes the reset links of these accounts, and those made by them. */
export async function deletePasswordResets(tx: Tx, userIds: string[]): Promise<void> {
  await tx.query('delete from password_resets where user_id = any($1) or made_by = any($1)', [userIds]);
}

/** Before the permissions of an account change, stores them in its sessions that an older server opened without any. */
export async function fillSessionRights(tx: Tx, userId: string, held: readonly Permission[]): Promise<void> {
  await tx.query('update sessions set permissions = $2 where user_id = $1 and permissions is null', [userId, held]);
}

/** @returns false when another request is less than so many minutes old and still unanswered */
export async function setPasswordResetRequested(tx: Tx, userId: string, minutes: number): Promise<boolean> {
  const rows = await tx.query(
    `update users set password_reset_requested_at = now()
     where id = $1 and deleted_at is null
       and (password_reset_requested_at is null or password_reset_requested_at < now() - make_interval(mins => $2)) returning id`,
    [userId, minutes],
  );
  return rows.length > 0;
}

/** Updates only the given fields: an undefined one keeps its value, null clears it. @param picture the path of the profile picture */
export async function setProfile(
  tx: Tx,
  id: string,
  profile: ProfileInput,
  picture: string | null | undefined,
): Promise<UserRow | null> {
  const { returnAddress } = profile;
  await setVehicle(tx, id, profile);
  const [row] = await tx.query<UserRow>(
    writtenUsers(`update users set
       name = coalesce($2, name),
       phone = case when $3 then $4 else phone end,
       years_of_experience = case when $5 then $6::integer else years_of_experience end,
       current_location = case when $7 then $8 else current_location end,
       profile_picture = case when $9 then $10 else profile_picture end,
       (return_lon, return_lat, return_accuracy, return_source, return_searched_at) = (
         select return_lon, return_lat, return_accuracy, return_source, return_searched_at
         where not $11 or (return_street, return_postal_code, return_city) is not distinct from ($12, $13, $14)),
       return_street = case when $11 then $12 else return_street end,
       return_postal_code = case when $11 then $13 else return_postal_code end,
       return_city = case when $11 then $14 else return_city end,
       return_country = case when $11 then $15 else return_country end,
       updated_at = now()
     where id = $1 and deleted_at is null`),
    [
      id,
      profile.name ?? null,
      profile.phone !== undefined,
      profile.phone ?? null,
      profile.yearsOfExperience !== undefined,
      profile.yearsOfExperience ?? null,
      profile.currentLocation !== undefined,
      profile.currentLocation ?? null,
      picture !== undefined,
      picture ?? null,
      returnAddress !== undefined,
      returnAddress?.street ?? null,
      returnAddress?.postalCode ?? null,
      returnAddress?.city ?? null,
      returnAddress?.country ?? null,
    ],
  );
  return row ?? null;
}

/** Stores the vehicle and the places of a driver, as far as they are given. A vehicle of null has no limits any more. */
export async function setVehicle(
  tx: Tx,
  id: string,
  { vehicleInfo: vehicle, startPlace, endPlace }: Pick<ProfileInput, 'vehicleInfo' | 'startPlace' | 'endPlace'>,
): Promise<void> {
  const isGiven = (value: unknown) => vehicle === null || value !== undefined;
  await tx.query(
    `update users set
       vehicle_type = case when $16 then $17 else vehicle_type end,
       vehicle_model = case when $16 then $18 else vehicle_model end,
       vehicle_license_plate = case when $16 then $19 else vehicle_license_plate end,
       vehicle_capacity_kg = case when $2 then $3::float8 else vehicle_capacity_kg end,
       vehicle_max_stops = case when $4 then $5::integer else vehicle_max_stops end,
       vehicle_skills = case when $6 then $7::text[] else vehicle_skills end,
       vehicle_grams_per_km = case when $8 then $9::integer else vehicle_grams_per_km end,
       start_lon = case when $10 then $11::float8 else start_lon end,
       start_lat = case when $10 then $12::float8 else start_lat end,
       end_lon = case when $13 then $14::float8 else end_lon end,
       end_lat = case when $13 then $15::float8 else end_lat end
     where id = $1 and deleted_at is null`,
    [
      id,
      isGiven(vehicle?.capacityKg),
      vehicle?.capacityKg ?? null,
      isGiven(vehicle?.maxStops),
      vehicle?.maxStops ?? null,
      isGiven(vehicle?.skills),
      vehicle?.skills ?? [],
      isGiven(vehicle?.gramsPerKm),
      vehicle?.gramsPerKm ?? null,
      startPlace !== undefined,
      startPlace?.lon ?? null,
      startPlace?.lat ?? null,
      endPlace !== undefined,
      endPlace?.lon ?? null,
      endPlace?.lat ?? null,
      vehicle !== undefined,
      vehicle?.type ?? null,
      vehicle?.model ?? null,
      vehicle?.licensePlate ?? null,
    ],
  );
}

export async function setAccount(
  tx: Tx,
  id: string,
  account: { name: string; role: Role; roleId: string | null; status: UserStatus; permissions: Permission[] | null },
): Promise<UserRow | null> {
  const [row] = await tx.query<UserRow>(
    writtenUsers(`update users set name = $2, role = $3, status = $4, permissions = $5, role_id = $6, updated_at = now(),
       awaiting_approval = awaiting_approval and status = $4
     where id = $1 and deleted_at is null`),
    [id, account.name, account.role, account.status, account.permissions, account.roleId],
  );
  return row ?? null;
}

/** Active users who effectively have the permission: by their own list, else their custom role, else one of these built-in roles. */
export async function listUsersWith(db: Queryable, permission: Permission, roles: Role[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from users
     where status = 'active'
       and case when coalesce(permissions, permissions_of_role(role_id)) is null then role = any($2)
           else $1 = any(coalesce(permissions, permissions_of_role(role_id))) end`,
    [permission, roles],
  );
  return rows.map((row) => row.id);
}

/** Keeps the row, since the history refers to it, without personal data. A job redacts texts that mention the user later. */
export async function eraseUser(tx: Tx, id: string): Promise<void> {
  await tx.query('delete from contact_messages where email = (select email from users where id = $1)', [id]);
  await tx.query(
    `insert into erasures (user_id, name, email, phone, vehicle_license_plate)
     select id, name, email, phone, vehicle_license_plate from users where id = $1`,
    [id],
  );
  await tx.query(
    `update users set name = null, email = null, password_hash = '', role_id = null, permissions = null, status = 'inactive',
       phone = null, profile_picture = null, years_of_experience = null, vehicle_type = null, vehicle_model = null,
       vehicle_license_plate = null, vehicle_capacity_kg = null, vehicle_max_stops = null, vehicle_skills = '{}', vehicle_grams_per_km = null,
       start_lon = null, start_lat = null, end_lon = null, end_lat = null, current_location = null, return_street = null, return_postal_code = null, return_city = null,
       return_country = null, return_lon = null, return_lat = null, return_accuracy = null, return_source = null,
       return_searched_at = null, last_login_at = null, must_change_password = false, second_factor = false,
       password_reset_requested_at = null, awaiting_approval = false, language = null, quiet_hours = null, digest = null, deleted_at = now(), updated_at = now()
     where id = $1`,
    [id],
  );
  await deletePasswordResets(tx, [id]);
  for (const table of [
    'idempotency_keys',
    'notifications',
    'notification_deliveries',
    'messages',
    'notification_preferences',
    'push_subscriptions',
    'position_consents',
    'known_addresses',
    'second_factors',
    'recovery_codes',
  ])
    await tx.query(`delete from ${table} where user_id = $1`, [id]);
  for (const table of ['driver_positions', 'positions', 'door_stays', 'driver_paces'])
    await tx.query(`delete from ${table} where driver_id = $1`, [id]);
  await tx.query('delete from package_imports where owner_id = $1', [id]);
}

/** Serializes changes of rights over all servers by an advisory lock, so that each sees the result of the previous one. */
export async function lockRights(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('waybill rights', 0))");
}

export const listActiveAdmins = (db: Queryable): Promise<UserRow[]> =>
  db.query<UserRow>(
    `select ${userColumns} from users where role = 'admin' and status = 'active' and deleted_at is null`,
  );

export async function hasAdmin(db: Queryable): Promise<boolean> {
  const rows = await db.query("select 1 from users where role = 'admin' and deleted_at is null limit 1");
  return rows.length > 0;
}

export interface SessionRow {
  id: string;
  created_at: Date;
  last_used_at: Date;
  user_agent: string | null;
  address: string | null;
}

export const listSessions = (db: Queryable, userId: string) =>
  db.query<SessionRow>(
    `select id, created_at, last_used_at, user_agent, address from sessions
     where user_id = $1 and last_used_at > now() - interval '7 days' and created_at > now() - interval '30 days'
     order by last_used_at desc`,
    [userId],
  );

/** @returns the IDs of the deleted sessions */
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

/** Deletes all but the `max` most recently used sessions of an account. @returns the IDs of the deleted ones */
export async function deleteIdleSessions(tx: Tx, userId: string, max: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `delete from sessions where id in
       (select id from sessions where user_id = $1 order by last_used_at desc, created_at desc, id desc offset $2)
     returning id`,
    [userId, max],
  );
  return rows.map((row) => row.id);
}

interface ReturningRow {
  id: string;
  owner_id: string;
  driver_id: string | null;
  status: PackageStatus;
  location: string | null;
}

/** What goes back to an owner and is not there yet: by the condition of the index `packages_returning`. */
export const findReturning = (db: Queryable, ownerId: string): Promise<ReturningRow[]> =>
  db.query<ReturningRow>(
    `select id, owner_id, driver_id, status, location from packages
     where owner_id = $1 and return_due and status in ('processing', 'in transit', 'out for delivery')`,
    [ownerId],
  );

/** The number of packages a driver has under way. */
export async function countUnderWay(tx: Tx, driverId: string): Promise<number> {
  const [row] = await tx.query<{ total: string }>(
    "select count(*) as total from packages where driver_id = $1 and status in ('in transit', 'out for delivery')",
    [driverId],
  );
  return Number(row?.total ?? 0);
}
