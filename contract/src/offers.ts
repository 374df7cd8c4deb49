import * as z from 'zod/mini';
import { ById, Id, Instant } from './common.ts';
import { Delivery } from './deliveries.ts';
import { group } from './endpoint.ts';
import { SomeStopIds } from './routes.ts';

/** How long a colleague can accept. */
export const offerMinutes = 15;

export const offerStates = ['open', 'accepted', 'declined', 'withdrawn', 'expired'] as const;
export type OfferState = (typeof offerStates)[number];

/** Stops of a started route that its driver offers to a colleague. They stay the driver's until they are accepted. */
export const Offer = z.object({
  id: z.string(),
  routeId: z.string(),
  /** The driver who offers them, with their name; null once the account is deleted. */
  fromDriverId: z.string(),
  from: z.nullable(z.string()),
  /** The colleague. */
  toDriverId: z.string(),
  to: z.nullable(z.string()),
  state: z.enum(offerStates),
  createdAt: Instant,
  expiresAt: Instant,
  /** What the driver still has of it. The colleague sees them as unclaimed deliveries until they are accepted. */
  deliveries: z.array(Delivery),
});
export type Offer = z.output<typeof Offer>;

export const OfferInput = z.strictObject({ packageIds: SomeStopIds, driverId: Id });
export type OfferInput = z.output<typeof OfferInput>;

/** A driver who is on the road with a route. */
export const Colleague = z.object({ id: z.string(), name: z.string() });
export type Colleague = z.output<typeof Colleague>;

const mine = { role: 'driver', anyOf: ['deliveries.update'] } as const;

export const offers = group({
  create: {
    method: 'POST',
    path: '/routes/:id/offers',
    limit: 'claim',
    failure: 'Failed to offer the stops.',
    access: mine,
    scope: 'own deliveries',
    params: ById,
    body: OfferInput,
    reply: Offer,
    status: 201,
    errors: ['illegal_step', 'conflict'],
  },
  /** Whom the caller can offer stops, by name: other drivers with a started route. None while the caller has no started one. */
  colleagues: {
    method: 'GET',
    path: '/routes/colleagues',
    failure: 'Failed to fetch the colleagues.',
    access: mine,
    scope: 'own deliveries',
    reply: z.array(Colleague),
  },
  /** All open offers, the oldest first. Their deliveries are shown as unclaimed. */
  open: {
    method: 'GET',
    path: '/routes/offers',
    failure: 'Failed to fetch offers.',
    access: { anyOf: ['deliveries.assign', 'deliveries.view_all'] },
    scope: 'everything',
    reply: z.array(Offer),
  },
  /** The open offers to and from the caller, and for an hour those of the caller's round that nobody has answered (`expired`), the oldest first. */
  mine: {
    method: 'GET',
    path: '/offers',
    failure: 'Failed to fetch offers.',
    access: { role: 'driver', anyOf: ['deliveries.read'] },
    scope: 'own deliveries',
    reply: z.array(Offer),
  },
  /** The stops become the last ones of the caller's started route; those that were done meanwhile are left out. */
  accept: {
    method: 'POST',
    path: '/offers/:id/accept',
    limit: 'claim',
    failure: 'Failed to accept the stops.',
    access: mine,
    scope: 'own deliveries',
    params: ById,
    reply: Offer,
    errors: ['no_route', 'no_longer_available', 'illegal_step'],
  },
  decline: {
    method: 'POST',
    path: '/offers/:id/decline',
    limit: 'claim',
    access: mine,
    scope: 'own deliveries',
    params: ById,
    reply: Offer,
    errors: ['no_longer_available'],
  },
  /** Withdraws an offer that is still open. */
  remove: {
    method: 'DELETE',
    path: '/offers/:id',
    limit: 'claim',
    access: mine,
    scope: 'own deliveries',
    params: ById,
    reply: 'none',
    errors: ['no_longer_available'],
  },
});
