import { auditContactViews } from '../audit/contact-views.ts';
import type { Ctx } from '../ctx.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { findPackage } from './row.ts';

/**
 * Audits that the reply to an act showed the contact of a package. Called outside of its transaction: for a repeated Idempotency-Key that
 * returns the stored reply, which shows the contact as well, without running its work.
 */
export async function auditShownContact(ctx: Pick<Ctx, 'db'>, actor: Actor, id: string): Promise<void> {
  const pkg = await findPackage(ctx.db, id, null);
  if (pkg) await auditContactViews(ctx.db, actor, [pkg]);
}
