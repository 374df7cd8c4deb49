import * as z from 'zod/mini';
import { ById, Instant, PageQuery, blankToNull, text } from './common.ts';
import { group } from './endpoint.ts';
import { AddressInput } from './packages.ts';
import { Place, PositionInput } from './places.ts';

/** Parts that are not known are null, such as the street of a town. `name`: who lives there, in the caller's address book. */
export const Suggestion = z.object({
  name: z.nullable(z.string()),
  street: z.nullable(z.string()),
  postalCode: z.nullable(z.string()),
  city: z.nullable(z.string()),
  country: z.nullable(z.string()),
  place: z.nullable(Place),
});
export type Suggestion = z.output<typeof Suggestion>;

const coordinate = (label: string, limit: number) =>
  z.pipe(
    z.string().check(z.regex(/^-?\d{1,3}(\.\d{1,15})?$/, `${label} must be a number`)),
    z.transform((digits, context) => {
      const degrees = Number(digits);
      if (Math.abs(degrees) > limit)
        context.issues.push({
          code: 'custom',
          message: `${label} must be between -${limit} and ${limit}`,
          input: digits,
        });
      return degrees;
    }),
  );

/** `near`: longitude and latitude, as in `9.99,53.55`. */
export const PlacesQuery = z.strictObject({
  q: text('Search', { min: 2, max: 120, tooShort: 'Search must be at least 2 characters' }),
  near: z.optional(
    z.pipe(
      z
        .string()
        .check(
          z.regex(
            /^-?(180|1[0-7]\d|\d{1,2})(\.\d{1,15})?,-?(90|[0-8]?\d)(\.\d{1,15})?$/,
            'Must be a place like 9.99,53.55',
          ),
        ),
      z.transform((pair) => {
        const [lon = 0, lat = 0] = pair.split(',').map(Number);
        return { lon, lat };
      }),
    ),
  ),
});
export type PlacesQuery = z.output<typeof PlacesQuery>;

export const ReverseQuery = z.strictObject({ lon: coordinate('Longitude', 180), lat: coordinate('Latitude', 90) });
export type ReverseQuery = z.output<typeof ReverseQuery>;

/** An entry of the caller's address book. */
export const BookAddress = z.object({
  id: z.string(),
  /** Who lives there. */
  name: z.nullable(z.string()),
  street: z.string(),
  postalCode: z.nullable(z.string()),
  city: z.string(),
  country: z.nullable(z.string()),
  place: z.nullable(Place),
  usedAt: Instant,
});
export type BookAddress = z.output<typeof BookAddress>;

export const BookAddressInput = z.extend(AddressInput, {
  name: z.optional(blankToNull(text('Name', { max: 120 }))),
  /** A pin. Without it, the place of an entry stays as long as its address does. */
  place: z.optional(z.nullable(z.object(PositionInput.shape))),
});
export type BookAddressInput = z.output<typeof BookAddressInput>;

export const AddressesQuery = z.extend(PageQuery, { q: z.optional(text('Search', { max: 120 })) });
export type AddressesQuery = z.output<typeof AddressesQuery>;

/** The most entries of an address book that are added by hand. */
export const maxAddresses = 20_000;

export const places = group({
  /** At most 8, best first: of the caller's address book, of the addresses known here, and of the geocoder. */
  search: {
    method: 'GET',
    path: '/places',
    summary: 'Suggest addresses for what is typed',
    failure: 'Failed to search for addresses.',
    access: 'active',
    scope: 'self',
    query: PlacesQuery,
    reply: z.array(Suggestion),
  },
  /** The nearest address that is known, or null: of the address book or the addresses known here within 200 m, else of the geocoder. */
  reverse: {
    method: 'GET',
    path: '/places/reverse',
    summary: 'Find the address at a place',
    failure: 'Failed to find the address.',
    access: 'active',
    scope: 'self',
    query: ReverseQuery,
    reply: z.nullable(Suggestion),
  },
});

const ownAddresses = { access: { anyOf: ['packages.create'] }, scope: 'self', noun: 'address' } as const;

export const addresses = group({
  /** Newest first. Completed deliveries add to it as well. */
  list: {
    method: 'GET',
    path: '/addresses',
    summary: 'List the entries of the caller’s address book',
    failure: 'Failed to fetch addresses.',
    ...ownAddresses,
    query: AddressesQuery,
    reply: z.array(BookAddress),
    list: true,
  },
  create: {
    method: 'POST',
    path: '/addresses',
    summary: 'Add an entry to the caller’s address book',
    failure: 'Failed to save address.',
    limit: 'create',
    ...ownAddresses,
    body: BookAddressInput,
    reply: BookAddress,
    status: 201,
    errors: ['conflict'],
  },
  /** Replaces the whole entry. */
  update: {
    method: 'PUT',
    path: '/addresses/:id',
    summary: 'Replace an entry of the caller’s address book',
    failure: 'Failed to save address.',
    ...ownAddresses,
    params: ById,
    body: BookAddressInput,
    reply: BookAddress,
    errors: ['conflict'],
  },
  remove: {
    method: 'DELETE',
    path: '/addresses/:id',
    summary: 'Delete an entry of the caller’s address book',
    failure: 'Failed to delete address.',
    ...ownAddresses,
    params: ById,
    reply: 'none',
  },
});
