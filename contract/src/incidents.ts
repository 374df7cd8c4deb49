import { z } from 'zod';
import { ById, text } from './common.ts';
import { Delivery } from './deliveries.ts';
import { group } from './endpoint.ts';
import { Package } from './packages.ts';

export const IssueInput = z.strictObject({
  issue: text('Issue', { min: 3, max: 2000, tooShort: 'Issue must be at least 3 characters', multiline: true }),
});

/** Each opens an incident; the package's status stays as it is. */
export const incidents = group({
  reportOnPackage: {
    method: 'POST',
    path: '/packages/:id/issue',
    access: { role: 'owner', anyOf: ['packages.read'] },
    scope: 'own packages',
    params: ById,
    body: IssueInput,
    reply: Package,
  },
  reportOnDelivery: {
    method: 'POST',
    path: '/deliveries/:id/issue',
    access: { role: 'driver', anyOf: ['deliveries.update'] },
    scope: 'own deliveries',
    params: ById,
    body: IssueInput,
    reply: Delivery,
    errors: ['illegal_step'],
  },
});
