import * as z from 'zod/mini';
import { ById } from './common.ts';
import { group } from './endpoint.ts';
import { RatePackageInput } from './packages.ts';
import { RecipientChangeInput, RecipientView } from './recipients.ts';

/** The link of the recipient: the tracker's address with a secret in its fragment, which browsers send to no server. */
export const RecipientLink = z.object({ url: z.string() });
export type RecipientLink = z.output<typeof RecipientLink>;

const link = {
  path: '/packages/:id/link',
  access: { anyOf: ['packages.read'] },
  scope: 'own packages',
  params: ById,
  reply: RecipientLink,
  errors: ['illegal_step', 'public_url_missing'],
  failure: 'Failed to make the link.',
} as const;

const onPage = {
  access: 'public',
  scope: 'whoever holds the recipient’s link',
  params: z.strictObject({ id: z.string() }),
  reply: RecipientView,
  errors: ['unauthenticated', 'too_many_requests'],
} as const;

/** What recipients do without an account. After `access` its token is the bearer token of the others. */
export const recipients = group({
  link: { ...link, method: 'GET', summary: 'Read the link of the recipient' },
  renewLink: {
    ...link,
    method: 'POST',
    holdsSecret: true,
    summary: 'Make a new link for the recipient: the old one stops',
  },
  access: {
    ...onPage,
    method: 'POST',
    path: '/track/:id/access',
    limit: 'own',
    summary: 'Exchange the key of the recipient’s link for a token',
    body: z.strictObject({ key: z.string().check(z.maxLength(200, 'Key must be at most 200 characters')) }),
    reply: z.object({ token: z.string(), /** In seconds. */ expiresIn: z.int() }),
    errors: ['too_many_requests'],
  },
  view: { ...onPage, method: 'GET', path: '/track/:id/recipient', summary: 'Read what the recipient’s link opens' },
  change: {
    ...onPage,
    method: 'POST',
    path: '/track/:id/changes',
    limit: 'own',
    summary: 'Change the delivery as its recipient',
    body: RecipientChangeInput,
    errors: [...onPage.errors, 'conflict', 'illegal_step'],
  },
  /** Only once per delivery. */
  rate: {
    ...onPage,
    method: 'POST',
    path: '/track/:id/rating',
    limit: 'own',
    summary: 'Rate the delivery as its recipient',
    body: RatePackageInput,
    errors: [...onPage.errors, 'not_delivered', 'already_rated'],
  },
  withdraw: {
    ...onPage,
    method: 'DELETE',
    path: '/track/:id/changes/:changeId',
    limit: 'own',
    summary: 'Take a change back',
    params: z.strictObject({ id: z.string(), changeId: z.string() }),
    errors: [...onPage.errors, 'conflict', 'illegal_step'],
  },
});
