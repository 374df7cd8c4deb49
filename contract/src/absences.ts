import * as z from 'zod/mini';
import { ById, Day, DayInput, Id, PageQuery, blankToNull, invalidCursor, text } from './common.ts';
import { group } from './endpoint.ts';

export const absenceKinds = ['sick', 'holiday', 'other'] as const;
export type AbsenceKind = (typeof absenceKinds)[number];

/** The most days of one absence. */
export const maxAbsenceDays = 366;

export const absenceMessages = {
  order: 'The last day must not be before the first one',
  long: `An absence can be at most ${maxAbsenceDays} days`,
  overlap: 'This driver is already absent on these days',
} as const;

/** When a driver is away: whole days, the last one included. */
export const Absence = z.object({
  id: z.string(),
  driverId: z.string(),
  /** The driver's name; null if the account is deleted. */
  driver: z.nullable(z.string()),
  kind: z.enum(absenceKinds),
  from: Day,
  to: Day,
  note: z.nullable(z.string()),
  version: z.int(),
});
export type Absence = z.output<typeof Absence>;

/** A route of an absent driver that is not finished, with its open stops. */
export const AffectedRoute = z.object({
  id: z.string(),
  day: Day,
  depotId: z.string(),
  state: z.enum(['planned', 'started']),
  stops: z.int(),
});
export type AffectedRoute = z.output<typeof AffectedRoute>;

/** With what the driver has in these days, for others to take over. */
export const SavedAbsence = z.extend(Absence, { routes: z.array(AffectedRoute) });
export type SavedAbsence = z.output<typeof SavedAbsence>;

/** Open stops of a driver who is away on their day. */
export const AbandonedStops = z.object({
  driverId: z.string(),
  driver: z.string(),
  day: Day,
  depotId: z.string(),
  stops: z.int(),
});
export type AbandonedStops = z.output<typeof AbandonedStops>;

const fields = {
  kind: z.enum(absenceKinds, 'Please choose what kind of absence it is'),
  from: DayInput,
  to: DayInput,
  note: z.optional(blankToNull(text('Note'))),
};

const dayMs = 86_400_000;

const hasPossibleDays = z.superRefine<{ from: string; to: string }>(({ from, to }, context) => {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  const message = days < 1 ? absenceMessages.order : days > maxAbsenceDays ? absenceMessages.long : null;
  if (message) context.addIssue({ code: 'custom', path: ['to'], message });
});

export const OwnAbsenceInput = z.strictObject(fields).check(hasPossibleDays);
export type OwnAbsenceInput = z.output<typeof OwnAbsenceInput>;

export const AbsenceInput = z.extend(z.strictObject(fields), { driverId: Id }).check(hasPossibleDays);
export type AbsenceInput = z.output<typeof AbsenceInput>;

export const AbsenceUpdateInput = z
  .extend(z.strictObject(fields), {
    /** Optimistic lock: the version that was read. If the server's is newer, the reply is 409. */
    version: z.optional(z.int()),
  })
  .check(hasPossibleDays);
export type AbsenceUpdateInput = z.output<typeof AbsenceUpdateInput>;

/** Absences that overlap a period. The default of `from` is today; without `to` the period is open-ended. */
export const AbsenceListQuery = z
  .extend(PageQuery, {
    from: z.optional(DayInput),
    to: z.optional(DayInput),
    /** Keyset cursor: first day and id of the last absence of the previous page. */
    cursor: z.optional(
      z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}~[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, invalidCursor)),
    ),
  })
  .check(
    z.refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
      path: ['to'],
      error: 'to must not be before from',
    }),
  );
export type AbsenceListQuery = z.output<typeof AbsenceListQuery>;

const planning = { access: { anyOf: ['deliveries.assign'] }, scope: 'everything' } as const;
const own = { access: { role: 'driver', anyOf: ['deliveries.read'] }, scope: 'self' } as const;
/** Drivers theirs, whoever plans all. */
const eitherOf = { access: { anyOf: ['deliveries.assign', 'deliveries.update'] }, scope: 'self' } as const;
const notFetched = 'Failed to fetch absences.';
const notSaved = 'Failed to save the absence.';

export const absences = group({
  /** By their first day. */
  list: {
    method: 'GET',
    path: '/absences',
    summary: 'List the absences of a period',
    failure: notFetched,
    ...planning,
    query: AbsenceListQuery,
    reply: z.array(Absence),
    list: true,
  },
  mine: {
    method: 'GET',
    path: '/absences/driver',
    summary: 'List the caller’s own absences',
    failure: notFetched,
    ...own,
    query: AbsenceListQuery,
    reply: z.array(Absence),
    list: true,
  },
  create: {
    method: 'POST',
    path: '/absences',
    summary: 'Enter an absence of a driver',
    failure: notSaved,
    ...planning,
    body: AbsenceInput,
    reply: SavedAbsence,
    status: 201,
    errors: ['conflict'],
  },
  report: {
    method: 'POST',
    path: '/absences/driver',
    summary: 'Enter an absence of the caller',
    failure: notSaved,
    ...own,
    body: OwnAbsenceInput,
    reply: SavedAbsence,
    status: 201,
    errors: ['conflict'],
  },
  update: {
    method: 'PUT',
    path: '/absences/:id',
    summary: 'Change an absence',
    failure: notSaved,
    ...eitherOf,
    params: ById,
    body: AbsenceUpdateInput,
    reply: SavedAbsence,
    errors: ['conflict', 'stale', 'precondition_failed'],
  },
  remove: {
    method: 'DELETE',
    path: '/absences/:id',
    summary: 'Delete an absence',
    failure: 'Failed to delete the absence.',
    ...eitherOf,
    params: ById,
    reply: 'none',
  },
});
