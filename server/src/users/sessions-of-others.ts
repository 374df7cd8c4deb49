import type { Session } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import { notFound } from '../platform/errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { deleteSessions, findUser, listSessions, lockUser } from './queries.ts';
import { assertCanManage, changeRights } from './rights.ts';
import { asSession } from './service.ts';

export async function sessionsOf(ctx: Ctx, actor: Actor, id: string): Promise<Session[]> {
  if (!(await findUser(ctx.db, id))) throw notFound('user');
  return (await listSessions(ctx.db, id)).map((row) => asSession(actor, row));
}

/**
 * Ends all sessions of a user, or only one, and notifies the user. Also works on the caller's own account, including the current
 * session, for somebody who suspects an intruder.
 */
export async function endSessionsOf(ctx: Ctx, actor: Actor, id: string, only?: string): Promise<void> {
  await changeRights(ctx, actor, async (tx, held) => {
    const user = await lockUser(tx, id);
    if (!user) throw notFound('user');
    assertCanManage(actor, user, held);
    const ended = await deleteSessions(tx, id, only === undefined ? {} : { only });
    if (ended.length === 0 && only !== undefined) throw notFound('session');
    if (ended.length === 0) return;
    const by = { at: ctx.now(), actorId: actor.id, userId: id };
    for (const sessionId of ended) await record(tx, { type: 'session.ended', ...by, sessionId });
    if (id !== actor.id) await record(tx, { type: 'sessions.ended', ...by });
  });
}
