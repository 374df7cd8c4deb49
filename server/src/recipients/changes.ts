import {
  dayIn,
  estimateDelivery,
  isFinal,
  isOnTheRoad,
  maxRescheduleDays,
  recipientChangeKinds,
  safePlaceRefusal,
  type ChangeRefusal,
  type RecipientChangeInput,
  type RecipientChangeKind,
} from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { listDepots } from '../depots/service.ts';
import { illegalStep } from '../packages/package-errors.ts';
import { recordPackage } from '../packages/package-event.ts';
import { setWishes } from '../packages/recipient-wishes.ts';
import { withArrivals } from '../packages/rounds.ts';
import { asWindow, type PackageRow, type StoredChange, type Wishes } from '../packages/row.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { AppError, invalid, notFound } from '../platform/errors.ts';
import { lockWithRoute, takeOff } from '../routes/take-off.ts';

/** Choices that replace each other: a package is left, taken by a neighbour or collected, and collected on no other day. */
const exclusive: readonly RecipientChangeKind[][] = [
  ['safe_place', 'neighbour', 'collect'],
  ['reschedule', 'collect'],
];

const replaces = (kind: RecipientChangeKind, other: RecipientChangeKind): boolean =>
  kind === other || exclusive.some((kinds) => kinds.includes(kind) && kinds.includes(other));

const wishesOf = (pkg: PackageRow): Wishes => ({
  window: asWindow(pkg),
  eta: pkg.eta,
  instructions: pkg.instructions,
  safePlace: pkg.handling_safe_place,
  nextStep: pkg.next_step,
  nextDay: pkg.next_day,
  depotId: pkg.depot_id,
});

/** The days that can be chosen. On the road today is too late. */
export function daysFor(
  ctx: Pick<Ctx, 'now'>,
  pkg: PackageRow,
  timeZone: string,
): { firstDay: string; lastDay: string } {
  const dayAfter = (days: number) => dayIn(timeZone, new Date(ctx.now().getTime() + days * 86_400_000));
  return { firstDay: dayAfter(isOnTheRoad(pkg.status) ? 1 : 0), lastDay: dayAfter(maxRescheduleDays) };
}

/** Why its recipient cannot change the delivery now, or null. */
export async function refusalOf(ctx: Ctx, db: Queryable, pkg: PackageRow): Promise<ChangeRefusal | null> {
  if (isFinal(pkg.status)) return 'ended';
  if (pkg.return_due || pkg.next_step === 'return') return 'returns';
  if (!pkg.allow_changes) return 'sender';
  if (!isOnTheRoad(pkg.status)) return null;
  const view: { id: string; stopsAway?: number } = { id: pkg.id };
  const [arrival] = await withArrivals(ctx, db, [pkg], [view]);
  const ahead = arrival?.stopsAway;
  const isLate = ahead === undefined ? pkg.status === 'out for delivery' : ahead <= ctx.config.CHANGE_CUTOFF_STOPS;
  return isLate ? 'late' : null;
}

/** It cannot be left without handing it over. */
const needsSomebody = (pkg: PackageRow): boolean =>
  pkg.handling_signature_required || pkg.handling_pin || pkg.handling_age !== null;

export const changeableKinds = (pkg: PackageRow, refusal: ChangeRefusal | null): RecipientChangeKind[] =>
  refusal === null ? recipientChangeKinds.filter((kind) => kind !== 'safe_place' || !needsSomebody(pkg)) : [];

async function assertChangeable(ctx: Ctx, tx: Tx, pkg: PackageRow): Promise<void> {
  switch (await refusalOf(ctx, tx, pkg)) {
    case 'ended':
      throw illegalStep(pkg, 'the delivery cannot be changed any more');
    case 'returns':
      throw new AppError('illegal_step', 'This package goes back to its sender');
    case 'sender':
      throw new AppError('conflict', 'The sender does not allow changes of this delivery');
    case 'late':
      throw new AppError('illegal_step', 'The driver is nearly there: it is too late to change this delivery');
    case null:
  }
}

/** Changes the delivery of a locked package as its recipient wishes. */
export async function changeDelivery(ctx: Ctx, seen: PackageRow, input: RecipientChangeInput): Promise<void> {
  const { timeZone } = await ctx.settings.find();
  const depots = input.kind === 'collect' ? await listDepots(ctx) : [];
  await ctx.db.transaction(async (tx) => {
    const locked = await lockWithRoute(tx, seen);
    const { pkg } = locked;
    await assertChangeable(ctx, tx, pkg);
    const depot = depots.find(({ id }) => input.kind === 'collect' && id === input.depotId.toLowerCase()) ?? null;
    assertPossible(ctx, pkg, input, { timeZone, isDepot: depot !== null });
    const stored = pkg.recipient_changes ?? [];
    const replaced = stored.filter(({ kind }) => replaces(input.kind, kind));
    const before = restored(wishesOf(pkg), replaced);
    const set = wishOf(input, before, timeZone);
    const note = noteOf(input, timeZone, depot?.name ?? '');
    // A repeat of a request whose answer was lost.
    if (replaced.length === 1 && replaced[0]?.kind === input.kind && replaced[0].note === note) return;
    const change: StoredChange = {
      id: uuid(),
      kind: input.kind,
      note,
      choice: choiceOf(input),
      at: ctx.now().toISOString(),
      acknowledgedAt: null,
      set,
      before: Object.fromEntries(Object.keys(set).map((field) => [field, before[field as keyof Wishes]])),
    };
    const waits = input.kind === 'reschedule' || input.kind === 'collect';
    const current = waits ? await takeOff(ctx, tx, locked, input.kind === 'reschedule' ? input.day : null) : pkg;
    const changes = [...stored.filter((one) => !replaced.includes(one)), change];
    await store(ctx, tx, current, { ...before, ...set }, changes, note, pkg.driver_id);
  });
}

/** Takes a change back: what it set is what it was before, unless somebody changed that since. A stop that was taken off stays off. */
export async function withdrawChange(ctx: Ctx, seen: PackageRow, changeId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { pkg } = await lockWithRoute(tx, seen);
    const stored = pkg.recipient_changes ?? [];
    const change = stored.find(({ id }) => id === changeId.toLowerCase());
    if (!change) throw notFound('change');
    await assertChangeable(ctx, tx, pkg);
    const rest = stored.filter((one) => one !== change);
    await store(ctx, tx, pkg, restored(wishesOf(pkg), [change]), rest, `Taken back: ${change.note}`, null);
  });
}

/** The wishes without these changes, where nobody has changed since what they set. */
function restored(wishes: Wishes, changes: StoredChange[]): Wishes {
  const result: Record<string, unknown> = { ...wishes };
  for (const { set, before } of changes.toReversed())
    for (const [field, value] of Object.entries(set))
      if (JSON.stringify(result[field]) === JSON.stringify(value))
        result[field] = before[field as keyof Wishes] ?? null;
  return result as unknown as Wishes;
}

function assertPossible(
  ctx: Ctx,
  pkg: PackageRow,
  input: RecipientChangeInput,
  { timeZone, isDepot }: { timeZone: string; isDepot: boolean },
): void {
  if (input.kind === 'safe_place' && (pkg.handling_pin || pkg.handling_age !== null))
    throw new AppError('conflict', safePlaceRefusal);
  if (input.kind === 'safe_place' && pkg.handling_signature_required)
    throw new AppError('conflict', 'This delivery needs a signature: it cannot be left in a safe place');
  if (input.kind === 'collect' && !isDepot) throw invalid({ depotId: 'This depot does not exist' });
  const { firstDay, lastDay } = daysFor(ctx, pkg, timeZone);
  if (input.kind === 'reschedule' && (input.day < firstDay || input.day > lastDay))
    throw invalid({ day: `Please choose a day from ${firstDay} to ${lastDay}` });
  if (input.kind !== 'window') return;
  if (Date.parse(input.to) <= ctx.now().getTime()) throw invalid({ to: 'The window is over already' });
  if (dayIn(timeZone, new Date(input.from)) > lastDay) throw invalid({ from: `Please choose a time until ${lastDay}` });
}

/** What a change sets. Another day ends a preferred time on the day before it. */
function wishOf(input: RecipientChangeInput, { window }: Wishes, timeZone: string): Partial<Wishes> {
  switch (input.kind) {
    case 'reschedule': {
      const isKept = window !== null && dayIn(timeZone, new Date(window.from)) === input.day;
      return { eta: input.day, nextStep: 'again', nextDay: input.day, window: isKept ? window : null };
    }
    case 'window':
      return { window: { from: new Date(input.from).toISOString(), to: new Date(input.to).toISOString() } };
    case 'safe_place':
      return { safePlace: input.place };
    case 'neighbour':
      return {};
    case 'instructions':
      return { instructions: input.text };
    case 'collect':
      return { nextStep: 'collect', nextDay: null, depotId: input.depotId.toLowerCase() };
  }
}

const choiceOf = ({ kind: _kind, ...fields }: RecipientChangeInput): Record<string, string> => fields;

function noteOf(input: RecipientChangeInput, timeZone: string, depot: string): string {
  switch (input.kind) {
    case 'reschedule':
      return `Deliver on ${input.day}`;
    case 'window': {
      const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone });
      return `Deliver ${format.formatRange(new Date(input.from), new Date(input.to))}`;
    }
    case 'safe_place':
      return `Leave in a safe place: ${input.place}`;
    case 'neighbour':
      return `Leave with a neighbour: ${input.name}, ${input.address}`;
    case 'instructions':
      return `Instructions: ${input.text}`;
    case 'collect':
      return `The recipient collects it: ${depot}`;
  }
}

async function store(
  ctx: Ctx,
  tx: Tx,
  pkg: PackageRow,
  wishes: Wishes,
  changes: StoredChange[],
  note: string,
  previousDriverId: string | null,
): Promise<void> {
  const isMoved = JSON.stringify(asWindow(pkg)) !== JSON.stringify(wishes.window);
  const expectedAt =
    isMoved && isOnTheRoad(pkg.status) && pkg.started_at ? estimateDelivery(pkg.started_at, wishes.window) : null;
  const changed = await setWishes(tx, pkg.id, wishes, changes, { at: ctx.now(), expectedAt });
  if (!changed) throw notFound('package');
  await recordPackage(tx, ctx, 'package.changed-by-recipient', changed, null, {
    note,
    ...(previousDriverId !== changed.driver_id && { previousDriverId }),
  });
}
