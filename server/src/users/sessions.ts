import { createHash, hash, randomBytes } from 'node:crypto';
import type { Permission, Role, UserStatus } from '@waybill/contract';
import { effectivePermissions, permissionsInSession, permissionsOf, type PermissionHolder } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import { networkOf } from '../platform/origin/addresses.ts';
import type { Actor, Sessions } from '../platform/auth/sessions.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/**
 * Opens a session and returns its token: 256 random bits, told once and kept only as a hash. It remembers what its account could do
 * while active, so that it never holds a right that came later: whoever got at the session of a lesser account stays a lesser one.
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

/** How long a caller is remembered at most, should nobody say that something changed. */
const rememberedMs = 5000;
const maxRemembered = 10_000;

/** Somebody who administers, by role or by what they may do, and signs in with the password alone. */
export const administersByPassword = (who: {
  role: Role;
  permissions: readonly Permission[];
  secondFactor: boolean;
}): boolean => !who.secondFactor && (who.role === 'admin' || who.permissions.includes('admin.access'));

/** Callers, remembered for a moment: who sends requests one after the other is looked up once. */
export function openSessions(
  db: Queryable,
  asksAdminsForSecondFactor: () => Promise<boolean> = async () => false,
): Sessions {
  const remembered = new Map<string, { actor: Actor; until: number }>();
  let forgotten = 0;
  const keyOf = (token: string) => hash('sha256', token, 'base64url');
  const recall = (key: string) => {
    const known = remembered.get(key);
    return known && performance.now() < known.until ? known.actor : null;
  };
  return {
    findCached: (token) => recall(keyOf(token)),
    async find(token) {
      const key = keyOf(token);
      const known = recall(key);
      if (known) return known;
      const askedAt = performance.now();
      const before = forgotten;
      const actor = await findActor(db, token, asksAdminsForSecondFactor);
      remembered.delete(key);
      // What was read while something changed may be from before. A one-time password is replaced in a moment, and what follows may
      // reach another process before the news of it.
      if (actor && !actor.mustChangePassword && !actor.mustSetUpSecondFactor && before === forgotten) {
        if (remembered.size >= maxRemembered) remembered.clear();
        remembered.set(key, { actor, until: askedAt + rememberedMs });
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
      forgotten++;
      remembered.clear();
    },
  };
}

async function findActor(db: Queryable, token: string, asksAdmins: () => Promise<boolean>): Promise<Actor | null> {
  if (token.length !== 43) return null;
  const row = await findSession(db, 's.token_hash = $1', hashOf(token));
  if (!row) return null;
  // Once an hour is exact enough for an idle limit of 7 days, and spares a write per request.
  if (row.stale) await db.query('update sessions set last_used_at = now() where id = $1', [row.session_id]);
  const actor = asActor(row);
  const due =
    administersByPassword({
      role: actor.role,
      permissions: [...actor.permissions, ...actor.gained],
      secondFactor: row.second_factor,
    }) && (await asksAdmins());
  return { ...actor, mustSetUpSecondFactor: due };
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
