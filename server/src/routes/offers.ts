import { messages, offerMinutes, type Offer, type OfferInput, type OfferState } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { asDelivery, asFormerDelivery } from '../deliveries/view.ts';
import { findOnRoutes, lockOnRoutes } from '../packages/on-routes.ts';
import type { PackageRow } from '../packages/row.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { AppError, invalid, notFound } from '../platform/errors.ts';
import { requireActiveDriver } from '../users/active-driver.ts';
import { carryOut } from './planning.ts';
import {
  findAllOpenOffers,
  findOffer,
  findOffered,
  findOffersOf,
  findStartedRoute,
  insertOffer,
  lockExpiredOffers,
  lockOffer,
  setOfferState,
  type OfferRow,
} from './offer-queries.ts';
import { lockRoutes, type RouteRow } from './queries.ts';
import { assertLegal, lockRoute, recordRoute } from './service.ts';
import { openStopsOf } from './stops.ts';

const idsOf = (packages: PackageRow[]) => packages.map(({ id }) => id);

const stateOf = ({ state, expires_at: expiresAt }: OfferRow, now: Date): OfferState =>
  state === 'open' && expiresAt <= now ? 'expired' : state;

/** Checked before a stored reply is replayed for its Idempotency-Key. @throws not_found for others' offers */
export async function requireVisibleOffer(tx: Tx, actor: Actor, reply: unknown): Promise<void> {
  requireParty(actor, await findOffer(tx, (reply as Offer).id));
}

function requireParty(actor: Actor, offer: OfferRow | null): OfferRow {
  if (offer?.from_driver_id !== actor.id && offer?.to_driver_id !== actor.id) throw notFound('offer');
  return offer;
}

/** Composes offers as the caller may see them: the colleague sees the stops as unclaimed until they are theirs. */
async function compose(ctx: Ctx, db: Queryable, actor: Actor, offers: OfferRow[]): Promise<Offer[]> {
  const rows = await findOnRoutes(
    db,
    [],
    offers.flatMap(({ package_ids: ids }) => ids),
  );
  const packages = new Map(rows.map((row) => [row.id, row]));
  return offers.map((offer) => {
    const state = stateOf(offer, ctx.now());
    const holder = state === 'accepted' ? offer.to_driver_id : offer.from_driver_id;
    const held = offer.package_ids.flatMap((id) => packages.get(id) ?? []).filter((pkg) => pkg.driver_id === holder);
    return {
      id: offer.id,
      routeId: offer.route_id,
      fromDriverId: offer.from_driver_id,
      from: offer.from_name,
      toDriverId: offer.to_driver_id,
      to: offer.to_name,
      state,
      createdAt: offer.created_at.toISOString(),
      expiresAt: offer.expires_at.toISOString(),
      deliveries: held.map((pkg) => (holder === actor.id ? asDelivery(pkg) : asFormerDelivery(pkg))),
    };
  });
}

async function composeOne(ctx: Ctx, tx: Tx, actor: Actor, id: string): Promise<Offer> {
  const row = await findOffer(tx, id);
  const [offer] = row ? await compose(ctx, tx, actor, [row]) : [];
  if (!offer) throw notFound('offer');
  return offer;
}

/** What dispatchers see. */
export const listAllOffers = async (ctx: Ctx, actor: Actor): Promise<Offer[]> =>
  compose(ctx, ctx.db, actor, await findAllOpenOffers(ctx.db, ctx.now()));

export const listOffers = async (ctx: Ctx, driver: Actor): Promise<Offer[]> =>
  compose(ctx, ctx.db, driver, await findOffersOf(ctx.db, driver.id, ctx.now()));

/** Offers open stops of the driver's started route to a colleague, for 15 minutes. */
export async function offerStops(
  ctx: Ctx,
  driver: Actor,
  routeId: string,
  { packageIds, driverId }: OfferInput,
): Promise<Offer> {
  return ctx.db.transaction(async (tx) => {
    const route = await lockRoute(tx, driver, routeId, 'deliveries.update');
    if (route.driver_id !== driver.id) throw notFound('route');
    if (driverId.toLowerCase() === driver.id) throw invalid({ driverId: 'Please choose a colleague' });
    assertLegal('offer', route, 'its stops cannot be offered');
    await requireActiveDriver(tx, driverId);
    const wanted = packageIds.map((id) => id.toLowerCase());
    const open = new Set(idsOf(openStopsOf(route, (await lockOnRoutes(tx, [route.id], [])).values())));
    if (!wanted.every((id) => open.has(id))) throw invalid({ packageIds: 'Only open stops can be offered' });
    const at = ctx.now();
    if ((await findOffered(tx, route.id, wanted, at)).size > 0)
      throw new AppError('conflict', 'One of these stops is offered already');
    const id = uuid();
    const expiresAt = new Date(at.getTime() + offerMinutes * 60_000);
    const parties = { fromDriverId: driver.id, toDriverId: driverId.toLowerCase() };
    await insertOffer(tx, { id, routeId: route.id, ...parties, packageIds: wanted, createdAt: at, expiresAt });
    await recordOffer(ctx, tx, driver, 'offer.made', { ...parties, route, stops: wanted });
    return composeOne(ctx, tx, driver, id);
  });
}

interface Told {
  fromDriverId: string;
  toDriverId: string;
  route: Pick<RouteRow, 'id'>;
  stops: string[];
}

/** Tells both drivers, and dispatchers. Notifications need to know who offers. */
const recordOffer = (
  ctx: Pick<Ctx, 'now'>,
  tx: Tx,
  actor: { id: string | null },
  type: 'offer.made' | 'offer.accepted' | 'offer.declined' | 'offer.withdrawn' | 'offer.expired',
  { fromDriverId, toDriverId, route, stops }: Told,
): Promise<void> =>
  recordRoute(
    ctx,
    tx,
    actor,
    type,
    { id: route.id, driver_id: toDriverId },
    { stops: [stops, stops], offeredBy: [fromDriverId, fromDriverId] },
    fromDriverId,
  );

const toldOf = (offer: OfferRow): Told => ({
  fromDriverId: offer.from_driver_id,
  toDriverId: offer.to_driver_id,
  route: { id: offer.route_id },
  stops: offer.package_ids,
});

/** The rest is closed by the next run. */
const expiredAtOnce = 200;

const isOver = () => new AppError('no_longer_available', 'This offer is no longer open');

/** Locks an offer of which the caller is this party. */
async function lockAs(tx: Tx, actor: Actor, id: string, party: 'from_driver_id' | 'to_driver_id'): Promise<OfferRow> {
  const offer = await lockOffer(tx, id);
  if (offer?.[party] !== actor.id) throw notFound('offer');
  return offer;
}

/**
 * Moves the offered stops that are still open to the end of the caller's started route. A repeated acceptance gets the present state.
 * @throws no_route without a started route, no_longer_available when the offer or all of its stops are over
 */
export async function acceptOffer(ctx: Ctx, driver: Actor, id: string): Promise<Offer> {
  return ctx.db.transaction(async (tx) => {
    const offer = await lockAs(tx, driver, id, 'to_driver_id');
    if (offer.state === 'accepted') return composeOne(ctx, tx, driver, id);
    if (stateOf(offer, ctx.now()) !== 'open') throw isOver();
    const targetId = await findStartedRoute(tx, driver.id);
    if (!targetId) throw new AppError('no_route', messages.noStartedRoute);
    const routes = await lockRoutes(tx, [offer.route_id, targetId]);
    const [from, target] = [routes.get(offer.route_id), routes.get(targetId)];
    if (from?.state !== 'started') throw isOver();
    // It may have been finished before it was locked.
    if (target?.state !== 'started') throw new AppError('no_route', messages.noStartedRoute);
    const packages = await lockOnRoutes(tx, [from.id, target.id], []);
    const offered = new Set(offer.package_ids);
    const chosen = openStopsOf(from, packages.values()).filter((pkg) => offered.has(pkg.id));
    if (chosen.length === 0) throw isOver();
    const there = idsOf(openStopsOf(target, packages.values()));
    await setOfferState(tx, id, 'accepted');
    await carryOut(ctx, tx, driver, { from, target, there, chosen });
    await recordOffer(ctx, tx, driver, 'offer.accepted', { ...toldOf(offer), stops: idsOf(chosen) });
    return composeOne(ctx, tx, driver, id);
  });
}

/** A repeated refusal gets the present state. */
export async function declineOffer(ctx: Ctx, driver: Actor, id: string): Promise<Offer> {
  return ctx.db.transaction(async (tx) => {
    await close(ctx, tx, driver, await lockAs(tx, driver, id, 'to_driver_id'), 'declined');
    return composeOne(ctx, tx, driver, id);
  });
}

export async function withdrawOffer(ctx: Ctx, driver: Actor, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) =>
    close(ctx, tx, driver, await lockAs(tx, driver, id, 'from_driver_id'), 'withdrawn'),
  );
}

async function close(ctx: Ctx, tx: Tx, actor: Actor, offer: OfferRow, state: 'declined' | 'withdrawn'): Promise<void> {
  if (offer.state === state) return;
  if (stateOf(offer, ctx.now()) !== 'open') throw isOver();
  await setOfferState(tx, offer.id, state);
  await recordOffer(ctx, tx, actor, state === 'declined' ? 'offer.declined' : 'offer.withdrawn', toldOf(offer));
}

/** Closes the offers that nobody has answered in time, and tells whoever still has some of the offered stops. */
export async function expireOffers(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    for (const { carried, ...offer } of await lockExpiredOffers(tx, ctx.now(), expiredAtOnce)) {
      await setOfferState(tx, offer.id, 'expired');
      if (carried.length > 0)
        await recordOffer(ctx, tx, { id: null }, 'offer.expired', { ...toldOf(offer), stops: carried });
    }
  });
}
