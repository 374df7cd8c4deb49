import * as z from 'zod/mini';
import { absenceKinds } from './absences.ts';
import {
  ById,
  Day,
  DayInput,
  Id,
  Instant,
  InstantInput,
  PageQuery,
  blankToNull,
  invalidCursor,
  text,
} from './common.ts';
import { group } from './endpoint.ts';
import { UserStatus } from './users.ts';
import { Zone } from './zones.ts';

/** The limits of a shift's duration. */
export const shiftLimits = { minMinutes: 15, maxHours: 16 } as const;

export const shiftMessages = {
  order: 'The shift must end after it starts',
  short: `A shift must be at least ${shiftLimits.minMinutes} minutes`,
  long: `A shift can be at most ${shiftLimits.maxHours} hours`,
} as const;

/** The validation error of a shift's times (in ms), or null. */
export function shiftTimesError(startsAt: number, endsAt: number): string | null {
  const minutes = (endsAt - startsAt) / 60_000;
  if (minutes <= 0) return shiftMessages.order;
  if (minutes < shiftLimits.minMinutes) return shiftMessages.short;
  return minutes > shiftLimits.maxHours * 60 ? shiftMessages.long : null;
}

/** A planned working time of a driver. Who is on duty is derived from shifts by the server's clock. */
export const Shift = z.object({
  id: z.string(),
  driverId: z.string(),
  /** The driver's name; null if the account is deleted. */
  driver: z.nullable(z.string()),
  /** Whether the account is an active driver. Shifts of others are kept but put nobody on duty. */
  driverActive: z.boolean(),
  startsAt: Instant,
  endsAt: Instant,
  note: z.nullable(z.string()),
  /** Running now, with an active driver who is not absent. */
  onDuty: z.boolean(),
  /** Why it is not worked: its driver is absent when it begins. */
  absence: z.nullable(z.enum(absenceKinds)),
  version: z.int(),
});
export type Shift = z.output<typeof Shift>;

const shiftFields = {
  driverId: Id,
  startsAt: InstantInput,
  endsAt: InstantInput,
  note: z.optional(blankToNull(text('Note'))),
};

/** The years that the shift calendar shows. */
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
  const message = shiftTimesError(Date.parse(startsAt), Date.parse(endsAt));
  if (message) context.addIssue({ code: 'custom', path: ['endsAt'], message });
});

/** Validates only the times. */
export const ShiftTimes = z
  .object({ startsAt: InstantInput, endsAt: InstantInput })
  .check(isPlannableShift, hasPossibleTimes);

export const ShiftInput = z.strictObject(shiftFields).check(isPlannableShift, hasPossibleTimes);
export type ShiftInput = z.output<typeof ShiftInput>;

export const ShiftUpdateInput = z
  .extend(z.strictObject(shiftFields), {
    /** Optimistic lock: the version that was read. If the server's is newer, the reply is 409. */
    version: z.optional(z.int()),
  })
  .check(isPlannableShift, hasPossibleTimes);
export type ShiftUpdateInput = z.output<typeof ShiftUpdateInput>;

/** Shifts that overlap a period. The default of `from` is now; without `to` the period is open-ended. */
export const ShiftListQuery = z
  .extend(PageQuery, {
    from: z.optional(InstantInput),
    to: z.optional(InstantInput),
    /** Keyset cursor: start (in ms) and id of the last shift of the previous page. */
    cursor: z.optional(
      z.string().check(z.regex(/^\d{1,13}~[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, invalidCursor)),
    ),
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
  /** When the next shift starts that is worked, if one is planned. */
  next: z.nullable(Instant),
  /** Of today in the organisation's zone. */
  absence: z.nullable(z.object({ kind: z.enum(absenceKinds), to: Day })),
  /** The number of their current deliveries. */
  stops: z.int(),
});
export type DriverOnDuty = z.output<typeof DriverOnDuty>;

/** `order=duty`: drivers on duty first, then by name. */
export const DriverListQuery = z.extend(PageQuery, {
  q: z.optional(text('Search', { max: 120 })),
  status: z.optional(UserStatus),
  order: z._default(z.enum(['duty', 'name']), 'duty'),
});
export type DriverListQuery = z.output<typeof DriverListQuery>;

/** Copies the shifts that start within seven days from `week` to the following seven days, at the same local times in `zone`. */
export const CopyWeekInput = z.strictObject({ week: DayInput, zone: Zone });
export type CopyWeekInput = z.output<typeof CopyWeekInput>;

export const CopiedWeek = z.object({
  copied: z.int(),
  /** Shifts that were not copied: the driver already has one at that time, or is not active. */
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

// Whoever may assign deliveries may plan shifts.
const planningAccess = { access: { anyOf: ['deliveries.assign'] }, scope: 'everything' } as const;

const list = { method: 'GET', query: ShiftListQuery, reply: z.array(Shift), list: true } as const;

export const shifts = group({
  /** Soonest first. */
  list: { ...list, ...planningAccess, path: '/shifts', failure: 'Failed to fetch shifts.' },
  /** The caller's shifts, soonest first: the first one is running now, or next. */
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
    summary: 'List the drivers, and who is on duty',
    failure: 'Failed to fetch drivers.',
    ...planningAccess,
    query: DriverListQuery,
    reply: z.array(DriverOnDuty),
    list: true,
  },
  create: {
    method: 'POST',
    path: '/shifts',
    failure: 'Failed to save shift.',
    ...planningAccess,
    body: ShiftInput,
    reply: Shift,
    status: 201,
    errors: ['conflict'],
  },
  copyWeek: {
    method: 'POST',
    path: '/shifts/copy',
    failure: 'Failed to copy the week.',
    ...planningAccess,
    body: CopyWeekInput,
    reply: CopiedWeek,
  },
  update: {
    method: 'PUT',
    path: '/shifts/:id',
    failure: 'Failed to save shift.',
    ...planningAccess,
    params: ById,
    body: ShiftUpdateInput,
    reply: Shift,
    errors: ['conflict', 'stale', 'precondition_failed'],
  },
  remove: {
    method: 'DELETE',
    path: '/shifts/:id',
    failure: 'Failed to delete shift.',
    ...planningAccess,
    params: ById,
    reply: 'none',
  },
});
