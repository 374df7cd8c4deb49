import { createHash, hash, randomBytes } from 'node:crypto';
import type { Permission, Role, UserStatus } from '@waybill/contract';
import { effectivePermissions, permissionsInSession, permissionsOf, type PermissionHolder } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import { networkOf } from '../platform/origin/addresses.ts';
import type { Actor, Sessions } from '../platform/auth/sessions.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/**
 * Opens a session and returns its token: 256 random bits, stored only as a hash. The session stores the permissions of its account,
 * and never gets those granted later: a stolen session of an account that is promoted afterwards stays without them.
 */
export async function openSession(
  tx: Tx,
  user: Omit<PermissionHolder, 'status'> & { id: string },
  from: { userAgent: string | undefined; address: string },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await tx.query(
    'insert into sessions (id, user_id, token_hash, user_agent, address, permissions) values ($1, $2, $3, $4, $5, $6)',
    [
      uuid(),
      user.id,
      hashOf(token),
      from.userAgent?.slice(0, 200) ?? null,
      networkOf(from.address).slice(0, 64),
      permissionsOf(user),
    ],
  );
  return token;
}

interface SessionRow {
  session_id: string;
  stale: boolean;
  id: string;
  role: Role;
  status: UserStatus;
  permissions: Permission[] | null;
  custom_role_permissions: Permission[] | null;
  opened_with: Permission[] | null;
  must_change_password: boolean;
  second_factor: boolean;
}

/** TTL of cached callers. Events invalidate the cache earlier; this bounds staleness when they do not arrive. */
const cacheTtlMs = 5000;
const maxCached = 10_000;

/** Whether a user is an administrator, by role or by `admin.access`, and signs in with the password alone. */
export const isAdminWithoutSecondFactor = (who: {
  role: Role;
  permissions: readonly Permission[];
  secondFactor: boolean;
}): boolean => !who.secondFactor && (who.role === 'admin' || who.permissions.includes('admin.access'));

/** Looks up sessions by token. Caches callers for a short time, so that a series of requests costs one query. */
export function openSessions(
  db: Queryable,
  requiresAdminSecondFactor: () => Promise<boolean> = async () => false,
): Sessions {
  const cache = new Map<string, { actor: Actor; expiresAt: number }>();
  /** Counts invalidations. */
  let generation = 0;
  const keyOf = (token: string) => hash('sha256', token, 'base64url');
  const cachedActor = (key: string) => {
    const entry = cache.get(key);
    return entry && performance.now() < entry.expiresAt ? entry.actor : null;
  };
  return {
    findCached: (token) => cachedActor(keyOf(token)),
    async find(token) {
      const key = keyOf(token);
      const cached = cachedActor(key);
      if (cached) return cached;
      const startedAt = performance.now();
      const before = generation;
      const actor = await findActor(db, token, requiresAdminSecondFactor);
      cache.delete(key);
      // A read that an invalidation overtook may be stale: do not cache it. Nor a caller who must set a password or second factor:
      // that ends soon, and the next request may reach another process before the event that invalidates its cache.
      if (actor && !actor.mustChangePassword && !actor.mustSetUpSecondFactor && before === generation) {
        if (cache.size >= maxCached) cache.clear();
        cache.set(key, { actor, expiresAt: startedAt + cacheTtlMs });
      }
      return actor;
    },
    async findById(sessionId) {
      const row = await findSession(db, 's.id = $1', sessionId);
      return row && asActor(row);
    },
    isProved: async (sessionId) =>
      (await db.query("select from sessions where id = $1 and proved_at > now() - interval '15 minutes'", [sessionId]))
        .length > 0,
    clearCache() {
      generation++;
      cache.clear();
    },
  };
}

async function findActor(
  db: Queryable,
  token: string,
  requiresAdminSecondFactor: () => Promise<boolean>,
): Promise<Actor | null> {
  if (token.length !== 43) return null;
  const row = await findSession(db, 's.token_hash = $1', hashOf(token));
  if (!row) return null;
  // Once an hour is precise enough for an idle time-out of 7 days, and saves a write per request.
  if (row.stale) await db.query('update sessions set last_used_at = now() where id = $1', [row.session_id]);
  const actor = asActor(row);
  const mustSetUpSecondFactor =
    isAdminWithoutSecondFactor({
      role: actor.role,
      permissions: [...actor.permissions, ...actor.gained],
      secondFactor: row.second_factor,
    }) && (await requiresAdminSecondFactor());
  return { ...actor, mustSetUpSecondFactor };
}

async function findSession(
  db: Queryable,
  which: 's.token_hash = $1' | 's.id = $1',
  value: Buffer | string,
): Promise<SessionRow | null> {
  const [row] = await db.query<SessionRow>(
    `select s.id as session_id, s.last_used_at < now() - interval '1 hour' as stale, u.id, u.role, u.status, u.permissions,
            permissions_of_role(u.role_id) as custom_role_permissions, u.must_change_password, u.second_factor,
            s.permissions as opened_with
     from sessions s join users u on u.id = s.user_id
     where ${which}
       and s.last_used_at > now() - interval '7 days' and s.created_at > now() - interval '30 days'`,
    [value],
  );
  return row ?? null;
}

function asActor(row: SessionRow): Actor {
  const held = effectivePermissions({ ...row, customRolePermissions: row.custom_role_permissions });
  const permissions = permissionsInSession(held, row.opened_with);
  return {
    id: row.id,
    role: row.role,
    status: row.status,
    permissions,
    gained: held.filter((permission) => !permissions.includes(permission)),
    openedWith: row.opened_with,
    mustChangePassword: row.must_change_password,
    mustSetUpSecondFactor: false,
    sessionId: row.session_id,
  };
}
