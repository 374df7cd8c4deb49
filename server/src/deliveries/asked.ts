import {
  isFinal,
  isOnTheRoad,
  maxPinTries,
  missingAgeMessage,
  missingPinMessage,
  type Delivery,
} from '@waybill/contract';
import { audit } from '../audit/service.ts';
import type { Ctx } from '../ctx.ts';
import { illegalStep } from '../packages/package-errors.ts';
import { recordPackage } from '../packages/package-event.ts';
import { pinOf, wrongPinHash } from '../packages/pin.ts';
import { lockPackage, pinStateOf, type PackageRow } from '../packages/row.ts';
import { auditShownContact } from '../packages/shown-contact.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Tx } from '../platform/database/db.ts';
import { AppError, invalid, notFound } from '../platform/errors.ts';
import { insertWrongPin, resetWrongPins, waivePin } from './queries.ts';
import { asDelivery } from './view.ts';

/** What was asked at the door: `pin`: the right one was given. */
export interface Asked {
  pin: boolean;
  age: boolean;
}

export const notAsked = { pin: null, ageChecked: null } as const;

const pinLocked = () =>
  new AppError('pin_locked', 'There were too many wrong PINs. Dispatch must release it first.', {
    fields: { pin: 'Locked: dispatch must release it' },
  });

/** @throws invalid for what is missing, pin_locked while the PIN is */
export function requireAsked(pkg: PackageRow, asked: Asked | undefined): void {
  if (pkg.handling_age !== null && !asked?.age) throw invalid({ ageChecked: missingAgeMessage });
  if (asked?.pin) return;
  const state = pinStateOf(pkg);
  if (state === 'locked') throw pinLocked();
  if (state === 'asked') throw invalid({ pin: missingPinMessage });
}

/** For the proof of a package that nothing is missing of. */
export const askedOf = (pkg: PackageRow) =>
  ({
    pin: pkg.handling_pin ? (pinStateOf(pkg) === 'waived' ? 'waived' : 'given') : null,
    ageChecked: pkg.handling_age,
  }) as const;

interface GivenPin {
  /** In small letters. */
  id: string;
  pin: string;
  /** Where the error belongs. */
  field: string;
}

/**
 * Checks the PINs of packages before they are handed over. Each wrong one is counted for good, in a transaction of its own: the request
 * fails. The same wrong PIN counts once, so that a phone may repeat its request.
 * @param shared whose transactions are not those of a request with an Idempotency-Key
 * @param driver who must have the packages; null at the depot
 * @returns the ids with the right one
 * @throws pin_wrong, pin_locked
 */
export async function checkPins(
  shared: Ctx,
  driver: Pick<Actor, 'id'> | null,
  pins: readonly GivenPin[],
): Promise<ReadonlySet<string>> {
  const right = new Set<string>();
  const wrong: { field: string; error: AppError }[] = [];
  // In the order of the ids, as all packages are locked.
  for (const { id, pin, field } of pins.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const error = await shared.db.transaction(async (tx) => {
      const pkg = await lockPackage(tx, id);
      const isTheirs = pkg !== null && (driver === null ? pkg.status === 'processing' : pkg.driver_id === driver.id);
      if (!isTheirs || (driver !== null && !isOnTheRoad(pkg.status)) || pkg.return_due) return null;
      const state = pinStateOf(pkg);
      if (state === null || state === 'waived') return null;
      if (state === 'locked') return pinLocked();
      if (pin !== pinOf(shared, pkg)) return countWrong(shared, tx, pkg, pin, driver);
      right.add(id);
      return null;
    });
    if (error) wrong.push({ field, error });
  }
  const [first] = wrong;
  if (first)
    throw new AppError(first.error.code, first.error.message, {
      fields: Object.fromEntries(wrong.map(({ field, error }) => [field, error.fields?.pin ?? error.message])),
    });
  return right;
}

async function countWrong(
  ctx: Ctx,
  tx: Tx,
  pkg: PackageRow,
  pin: string,
  driver: Pick<Actor, 'id'> | null,
): Promise<AppError> {
  const tries = await insertWrongPin(tx, pkg.id, wrongPinHash(ctx, pkg, pin));
  if (tries < maxPinTries) {
    const left = maxPinTries - tries;
    const message = `This PIN is not right: ${left} more ${left === 1 ? 'try' : 'tries'}`;
    return new AppError('pin_wrong', message, { fields: { pin: message } });
  }
  await recordPackage(tx, ctx, 'package.pin-locked', pkg, driver?.id ?? null);
  return pinLocked();
}

/** @param waive the PIN is not asked any more; else it can be tried again. A repeat changes nothing */
export async function releasePin(ctx: Ctx, actor: Actor, id: string, waive: boolean): Promise<Delivery> {
  const delivery = await ctx.db.transaction(async (tx) => {
    const locked = await lockPackage(tx, id);
    if (!locked) throw notFound('delivery');
    const state = pinStateOf(locked);
    if (state === null || isFinal(locked.status)) throw illegalStep(locked, 'there is no PIN to release');
    if (locked.driver_id === actor.id)
      throw new AppError('illegal_step', 'The driver of this package cannot release its PIN');
    if (state === 'waived' || (!waive && state !== 'locked')) return asDelivery(locked);
    await (waive ? waivePin(tx, locked.id) : resetWrongPins(tx, locked.id));
    const details = waive ? { note: 'The PIN is not asked any more' } : {};
    await recordPackage(tx, ctx, 'package.pin-released', locked, actor.id, details);
    await audit(tx, { act: 'pin.released', actorId: actor.id, subjectId: locked.id, details: { waived: waive } });
    return asDelivery({ ...locked, pin_check: { wrong: 0, waived: waive } });
  });
  await auditShownContact(ctx, actor, id);
  return delivery;
}
