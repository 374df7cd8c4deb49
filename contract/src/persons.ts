import * as z from 'zod/mini';
import { Id, Instant, text } from './common.ts';
import { group } from './endpoint.ts';
import { Role } from './permission-schemas.ts';

/** A part of a name, email address or phone number. Digits of a number are compared without what is between them. */
export const PersonSearchInput = z.strictObject({
  q: text('The search', { min: 3, max: 120, tooShort: 'Please enter at least 3 characters' }),
  /** Only packages that were made before this one: where the search before ended. */
  before: z.optional(z.nullable(Id)),
});
export type PersonSearchInput = z.output<typeof PersonSearchInput>;

/** Each list has at most so many entries, the newest ones. */
export const maxPersonRows = 200;

export const PersonAccount = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  role: Role,
  createdAt: Instant,
  /** Packages that it has now on the road as their driver, or that are on the road to its recipients. */
  underWay: z.int(),
});
export type PersonAccount = z.output<typeof PersonAccount>;

/** A package of which the person is the recipient, or which they have accepted. */
export const PersonPackage = z.object({
  id: z.string(),
  trackingId: z.string(),
  status: z.string(),
  recipientName: z.string(),
  recipientContact: z.nullable(z.string()),
  recipientEmail: z.nullable(z.string()),
  recipientPhone: z.nullable(z.string()),
  town: z.nullable(z.string()),
  receivedBy: z.nullable(z.string()),
  hasProof: z.boolean(),
  /** Messages about it to an address. */
  messages: z.int(),
  createdAt: Instant,
  /** It waits or is on the road, so that its driver needs the recipient: nothing can be erased yet. */
  isOpen: z.boolean(),
});
export type PersonPackage = z.output<typeof PersonPackage>;

export const Persons = z.object({
  accounts: z.array(PersonAccount),
  packages: z.array(PersonPackage),
  /** There are more than `maxPersonRows`. */
  isCapped: z.boolean(),
  /**
   * Where the search of packages ended if older ones may match as well: after `maxPersonRows`, or after 200,000 packages that were looked at
   * for words that stand in very many. `before` continues there, with packages made before `at`.
   */
  older: z.nullable(z.object({ before: Id, at: Instant })),
});
export type Persons = z.output<typeof Persons>;

const ids = z.array(Id).check(z.maxLength(maxPersonRows, `At most ${maxPersonRows} at once`));
const chosen = { accountId: z.optional(z.nullable(Id)), packageIds: ids };

/** Whose data: what of the found belongs to one person, chosen by hand, since people may have the same name. */
export const PersonInput = z.strictObject(chosen).check(
  z.refine(({ accountId, packageIds }) => Boolean(accountId) || packageIds.length > 0, {
    path: ['packageIds'],
    error: 'Please choose an account or a package',
  }),
);
export type PersonInput = z.output<typeof PersonInput>;

export const ErasePersonInput = z.strictObject({ ...chosen, confirm: z.literal('erase', 'Please type “erase”') }).check(
  z.refine(({ accountId, packageIds }) => Boolean(accountId) || packageIds.length > 0, {
    path: ['packageIds'],
    error: 'Please choose an account or a package',
  }),
);
export type ErasePersonInput = z.output<typeof ErasePersonInput>;

/** What was erased. */
export const ErasedPerson = z.object({ account: z.boolean(), packages: z.int() });
export type ErasedPerson = z.output<typeof ErasedPerson>;

/** Also needs `packages.view_all`: recipients of all owners are found. */
const personAccess = { access: { anyOf: ['admin.manage_users'] }, scope: 'everything' } as const;

export const persons = group({
  /** A POST, since what is searched for is personal data, which stands in no URL. */
  search: {
    method: 'POST',
    path: '/persons/search',
    summary: 'Find a person among accounts and recipients, by name, phone number or email address',
    failure: 'Failed to search.',
    ...personAccess,
    body: PersonSearchInput,
    reply: Persons,
    limit: 'own',
    repeats: 'are executed again',
  },
  exportAll: {
    method: 'POST',
    path: '/persons/export',
    summary: 'Download what is stored about a person: JSON, and the images of their proofs',
    failure: 'Failed to export.',
    ...personAccess,
    body: PersonInput,
    reply: 'zip',
    limit: 'own',
    repeats: 'are executed again',
    reauthenticate: true,
    noun: 'person',
    errors: ['not_found'],
  },
  /** All or nothing. What happened stays, without the person. */
  erase: {
    method: 'POST',
    path: '/persons/erase',
    summary: 'Erase a person: an account, and recipients of packages that have ended',
    failure: 'Failed to erase.',
    ...personAccess,
    body: ErasePersonInput,
    reply: ErasedPerson,
    limit: 'own',
    reauthenticate: true,
    noun: 'person',
    errors: ['not_found', 'conflict'],
  },
});
