import * as z from 'zod/mini';
import { ById, DayInput, Id, Instant, InstantInput, PageQuery, blankToNull, notACursor, text } from './common.ts';
import { group } from './endpoint.ts';
import { UserStatus } from './users.ts';
import { Zone } from './zones.ts';

/** How long one shift may be. */
export const shiftLimits = { leastMinutes: 15, mostHours: 16 } as const;

export const shiftMessages = {
  order: 'The shift must end after it starts',
  short: `A shift must be at least ${shiftLimits.leastMinutes} minutes`,
  long: `A shift can be at most ${shiftLimits.mostHours} hours`,
} as const;

/** What is wrong with the times of a shift, or null. */
export function faultOfTimes(startsAt: number, endsAt: number): string | null {
  const minutes = (endsAt - startsAt) / 60_000;
  if (minutes <= 0) return shiftMessages.order;
  if (minutes < shiftLimits.leastMinutes) return shiftMessages.short;
  return minutes > shiftLimits.mostHours * 60 ? shiftMessages.long : null;
}

/** When a driver is to work. Who is on duty follows from these, by the server's clock. */
export const Shift = z.object({
  id: z.string(),
  driverId: z.string(),
  /** The driver's name; null where the account is gone. */
  driver: z.nullable(z.string()),
  /** Whether the account is an active driver's; the shifts of others stay, and put nobody on duty. */
  driverActive: z.boolean(),
  startsAt: Instant,
  endsAt: Instant,
  note: z.nullable(z.string()),
  /** It runs now, and its driver is active. */
  onDuty: z.boolean(),
  version: z.int(),
});
export type Shift = z.output<typeof Shift>;

const shiftFields = {
  driverId: Id,
  startsAt: InstantInput,
  endsAt: InstantInput,
  note: z.optional(blankToNull(text('Note'))),
};

/** Years that a calendar of shifts has pages for. */
const isPlannable = (instant: string) => {
  const year = new Date(instant).getUTCFullYear();
  return year >= 2000 && year < 2100;
};

type Times = { startsAt: string; endsAt: string };

const isPlannableShift = z.refine<Times>(({ startsAt }) => isPlannable(startsAt), {
  path: ['startsAt'],
  error: 'A shift must start between 2000 and 2100',
});

const hasPossibleTimes = z.superRefine<Times>(({ startsAt, endsAt }, context) => {
  const message = faultOfTimes(Date.parse(startsAt), Date.parse(endsAt));
  if (message) context.addIssue({ code: 'custom', path: ['endsAt'], message });
});

/** The rules of the times alone. */
export const ShiftTimes = z
  .object({ startsAt: InstantInput, endsAt: InstantInput })
  .check(isPlannableShift, hasPossibleTimes);

export const ShiftInput = z.strictObject(shiftFields).check(isPlannableShift, hasPossibleTimes);
export type ShiftInput = z.output<typeof ShiftInput>;

export const ShiftUpdateInput = z
  .extend(z.strictObject(shiftFields), {
    /** The version this copy was read at; an older one than the server's is answered 409. */
    version: z.optional(z.int()),
  })
  .check(isPlannableShift, hasPossibleTimes);
export type ShiftUpdateInput = z.output<typeof ShiftUpdateInput>;

/** The shifts that run at some time of a period; without `from` those that are not over yet, without `to` all that follow. */
export const ShiftListQuery = z
  .extend(PageQuery, {
    from: z.optional(InstantInput),
    to: z.optional(InstantInput),
    /** The start of the last shift that is there already, in ms, and its id. */
    cursor: z.optional(z.string().check(z.regex(/^\d{1,13}~[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, notACursor))),
  })
  .check(
    z.refine(({ from, to }) => from === undefined || to === undefined || Date.parse(from) < Date.parse(to), {
      path: ['to'],
      error: 'to must be after from',
    }),
  );
export type ShiftListQuery = z.output<typeof ShiftListQuery>;

/** A driver, and whether they are on duty. */
export const DriverOnDuty = z.object({
  id: z.string(),
  name: z.string(),
  status: UserStatus,
  onDuty: z.boolean(),
  /** While on duty: when the shift ends. */
  until: z.nullable(Instant),
  /** When the next shift starts, where one is planned. */
  next: z.nullable(Instant),
  /** Deliveries they carry now. */
  stops: z.int(),
});
export type DriverOnDuty = z.output<typeof DriverOnDuty>;

/** Those on duty first, then by name; or by name alone. */
export const DriverListQuery = z.extend(PageQuery, {
  q: z.optional(text('Search', { max: 120 })),
  status: z.optional(UserStatus),
  order: z._default(z.enum(['duty', 'name']), 'duty'),
});
export type DriverListQuery = z.output<typeof DriverListQuery>;

/** The shifts that start in the seven days from `week` on are planned for the seven days after, at the same times of day in `zone`. */
export const CopyWeekInput = z.strictObject({ week: DayInput, zone: Zone });
export type CopyWeekInput = z.output<typeof CopyWeekInput>;

export const CopiedWeek = z.object({
  copied: z.int(),
  /** What could not be planned: the driver has a shift then, or is not active. */
  skipped: z.array(
    z.object({
      driverId: z.string(),
      driver: z.nullable(z.string()),
      startsAt: Instant,
      endsAt: Instant,
      reason: z.enum(['overlap', 'not active']),
    }),
  ),
});
export type CopiedWeek = z.output<typeof CopiedWeek>;

// Who says which driver brings a package says when drivers work.
const planners = { access: { anyOf: ['deliveries.assign'] }, scope: 'everything' } as const;

const list = { method: 'GET', query: ShiftListQuery, reply: z.array(Shift), list: true } as const;

export const shifts = group({
  /** Soonest first. */
  list: { ...list, ...planners, path: '/shifts', failure: 'Failed to fetch shifts.' },
  /** A driver's own, soonest first: the first is the one that runs now, or the next. */
  mine: {
    ...list,
    path: '/shifts/driver',
    failure: 'Failed to fetch shifts.',
    access: { role: 'driver', anyOf: ['deliveries.read'] },
    scope: 'self',
  },
  drivers: {
    method: 'GET',
    path: '/shifts/drivers',
    summary: 'Every driver, and who is on duty',
    failure: 'Failed to fetch drivers.',
    ...planners,
    query: DriverListQuery,
    reply: z.array(DriverOnDuty),
    list: true,
  },
  create: {
    method: 'POST',
    path: '/shifts',
    failure: 'Failed to save shift.',
    ...planners,
    body: ShiftInput,
    reply: Shift,
    status: 201,
    errors: ['conflict'],
  },
  copyWeek: {
    method: 'POST',
    path: '/shifts/copy',
    failure: 'Failed to copy the week.',
    ...planners,
    body: CopyWeekInput,
    reply: CopiedWeek,
  },
  update: {
    method: 'PUT',
    path: '/shifts/:id',
    failure: 'Failed to save shift.',
    ...planners,
    params: ById,
    body: ShiftUpdateInput,
    reply: Shift,
    errors: ['conflict', 'stale', 'precondition_failed'],
  },
  remove: {
    method: 'DELETE',
    path: '/shifts/:id',
    failure: 'Failed to delete shift.',
    ...planners,
    params: ById,
    reply: 'none',
  },
});
