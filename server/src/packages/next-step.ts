import { dayIn, statusAfter, type NextStep, type NextStepInput, type Package } from '@waybill/contract';
import { auditContactViews } from '../audit/contact-views.ts';
import type { Ctx } from '../ctx.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { findUser } from '../users/service.ts';
import { illegalStep } from './package-errors.ts';
import { recordPackage } from './package-event.ts';
import { asPackage, lockPackage } from './row.ts';
import { scopeOf } from './service.ts';
import { setNextStep } from './transition-queries.ts';

const noteOf = ({ kind, day }: NextStep): string => {
  if (kind === 'collect') return 'To be collected at the depot';
  if (kind === 'return') return 'Back to the sender';
  return day === null ? 'Another attempt' : `Another attempt on ${day}`;
};

/**
 * Stores what happens to a package after a failed attempt.
 * @throws illegal_step without one, or when it does not wait; invalid for a day in the past, or a return without a return address
 */
export async function chooseNextStep(ctx: Ctx, actor: Actor, id: string, input: NextStepInput): Promise<Package> {
  const { timeZone } = await ctx.settings.find();
  const to: NextStep = { kind: input.kind, day: input.day ?? null };
  if (to.day !== null && to.day < dayIn(timeZone, ctx.now())) throw invalid({ day: 'This day is in the past' });
  return ctx.db.transaction(async (tx) => {
    const pkg = await lockPackage(tx, id, scopeOf(actor));
    if (!pkg) throw notFound('package');
    if (!statusAfter('start', pkg.status)) throw illegalStep(pkg, 'what happens next cannot be chosen now');
    if (pkg.failed_at === null) throw illegalStep(pkg, 'it waits for its first attempt');
    const owner = to.kind === 'return' ? await findUser(tx, pkg.owner_id) : null;
    if (owner && !owner.return_street) throw invalid({ kind: 'Please enter a return address in the profile first' });
    await auditContactViews(tx, actor, [pkg]);
    const isSame = pkg.next_step === to.kind && pkg.next_day === to.day && pkg.return_due === (to.kind === 'return');
    if (isSame) return asPackage(ctx, pkg);
    const changed = await setNextStep(tx, pkg.id, to, ctx.now());
    if (!changed) throw notFound('package');
    await recordPackage(tx, ctx, 'package.next-step', changed, actor.id, { note: noteOf(to) });
    return asPackage(ctx, changed);
  });
}
