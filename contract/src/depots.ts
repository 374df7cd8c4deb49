import * as z from 'zod/mini';
import { ById, blankToNull, text } from './common.ts';
import { group } from './endpoint.ts';
import { Address, AddressInput } from './packages.ts';
import { Place, PositionInput } from './places.ts';
import { TimeZone } from './zones.ts';

/** A time of day in the depot's zone, `HH:MM`. */
const TimeOfDay = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time like 08:30'));

/** Where packages wait, and where routes begin and end. Its zone decides which day and time it is there. */
export const Depot = z.object({
  id: z.string(),
  name: z.string(),
  /** Null until somebody enters it, as at the depot that the first start creates. */
  address: z.nullable(Address),
  /** Where the address is; null until that is known. */
  place: z.nullable(Place),
  /** Both null: no hours are given. */
  opensAt: z.nullable(z.string()),
  closesAt: z.nullable(z.string()),
  timeZone: z.string(),
  version: z.int(),
});
export type Depot = z.output<typeof Depot>;

/** What a client sends back of a place it read counts as well. */
const DepotPlace = z.object(PositionInput.shape);

const depotFields = {
  name: text('Name', { min: 2, max: 120, tooShort: 'Name must be at least 2 characters' }),
  address: z.optional(z.nullable(AddressInput)),
  /** A pin. Without it the place of the address is looked up. */
  place: z.optional(z.nullable(DepotPlace)),
  opensAt: z.optional(blankToNull(TimeOfDay)),
  closesAt: z.optional(blankToNull(TimeOfDay)),
  timeZone: TimeZone,
};

type Hours = { opensAt?: string | null | undefined; closesAt?: string | null | undefined };

/** A depot that closes after midnight closes before it opens, so only equal times are an error. */
const hasPossibleHours = z.refine<Hours>(
  ({ opensAt, closesAt }) => (opensAt ? closesAt && closesAt !== opensAt : !closesAt) === true,
  { path: ['closesAt'], error: 'Opening and closing time must be given together, and differ' },
);

export const DepotInput = z.strictObject(depotFields).check(hasPossibleHours);
export type DepotInput = z.output<typeof DepotInput>;

/** Omitted fields keep their value; hours come together, so that one of them as null removes both. */
export const DepotUpdateInput = z
  .extend(z.strictObject(depotFields), {
    /** Read-only: accepted from clients that send the whole depot back, and ignored. */
    id: z.optional(z.unknown()),
    /** Optimistic lock: the version that was read. If the server's is newer, the reply is 409. */
    version: z.optional(z.int()),
  })
  .check(hasPossibleHours);
export type DepotUpdateInput = z.output<typeof DepotUpdateInput>;

/** There is always at least one depot, and installations have few. */
export const maxDepots = 200;

const configAccess = { access: { anyOf: ['admin.system_config'] }, scope: 'everything' } as const;

export const depots = group({
  /** By name: all at once. */
  list: {
    method: 'GET',
    path: '/depots',
    failure: 'Failed to fetch depots.',
    access: 'active',
    scope: 'none',
    reply: z.array(Depot),
  },
  create: {
    method: 'POST',
    path: '/depots',
    failure: 'Failed to save depot.',
    ...configAccess,
    body: DepotInput,
    reply: Depot,
    status: 201,
    errors: ['conflict'],
  },
  /** What is left out stays as it is; null clears it. */
  update: {
    method: 'PUT',
    path: '/depots/:id',
    failure: 'Failed to save depot.',
    ...configAccess,
    params: ById,
    body: DepotUpdateInput,
    reply: Depot,
    errors: ['conflict', 'stale', 'precondition_failed'],
  },
  /** A depot in use, and the last one, are not deleted. */
  remove: {
    method: 'DELETE',
    path: '/depots/:id',
    failure: 'Failed to delete depot.',
    ...configAccess,
    params: ById,
    reply: 'none',
    errors: ['conflict'],
  },
});
