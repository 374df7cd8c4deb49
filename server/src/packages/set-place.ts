import { isFinal, isOnTheRoad, mayChange, type Place, type PlaceInput } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { rememberAddresses } from '../places/address-book.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { notFound } from '../platform/errors.ts';
import { illegalStep, tooLate } from './package-errors.ts';
import { recordPackage } from './package-event.ts';
import { addressOf, lockPackage, type PackageRow } from './row.ts';
import { forgetSearch, searchAgain, storePlace, storeReturnPlace } from './place-queries.ts';
import { recordLocated } from './place-searches.ts';

/**
 * Sets where the address of a package is, or the return address of what goes back, for this package and in the address book of its owner, from which the owner's other packages get it.
 * @throws not_found for packages that are neither the caller's own, nor carried by them, nor visible to them as staff
 * @throws illegal_step without an address, or when it is too late for this caller
 */
export async function setPlace(
  ctx: Ctx,
  actor: Actor,
  id: string,
  { lon, lat, returnAddress: ofReturn = false }: PlaceInput,
): Promise<Place> {
  return ctx.db.transaction(async (tx) => {
    const pkg = await lockPackage(tx, id);
    if (!pkg || !isReachable(actor, pkg)) throw notFound('package');
    if (ofReturn ? isFinal(pkg.status) : isCarriedBy(actor, pkg) ? pkg.return_due : !mayPlace(actor, pkg))
      throw illegalStep(pkg, tooLate);
    if (ofReturn && !pkg.return_to) throw illegalStep(pkg, 'it does not go back to its owner');
    const to = ofReturn ? pkg.return_to : null;
    const address = addressOf(to ?? pkg);
    if (!address) throw illegalStep(pkg, 'it has no address');
    const place: Place = { lon, lat, accuracy: 'pin', source: 'pin' };
    if (to) {
      const placed = await storeReturnPlace(tx, pkg.owner_id, address, place, false);
      await rememberAddresses(tx, [{ ownerId: pkg.owner_id, address, name: to.name, place }], ctx.now());
      await searchAgain(tx, pkg.owner_id, address);
      await recordLocated(
        tx,
        ctx,
        placed.filter(({ id: one }) => one !== pkg.id),
      );
      await recordPackage(tx, ctx, 'package.placed', pkg, actor.id);
      return place;
    }
    const changed = await storePlace(tx, pkg.id, place);
    await forgetSearch(tx, pkg.id);
    await rememberAddresses(tx, [{ ownerId: pkg.owner_id, address, name: pkg.recipient_name, place }], ctx.now());
    await searchAgain(tx, pkg.owner_id, address);
    if (changed) await recordPackage(tx, ctx, 'package.placed', changed, actor.id);
    return place;
  });
}

const isStaff = ({ permissions }: Actor) =>
  permissions.includes('packages.view_all') && permissions.includes('packages.update');

const isOwn = (actor: Actor, pkg: PackageRow) =>
  pkg.owner_id === actor.id && actor.permissions.includes('packages.update');

const isCarriedBy = (actor: Actor, pkg: PackageRow) =>
  pkg.driver_id === actor.id && isOnTheRoad(pkg.status) && actor.permissions.includes('deliveries.update');

const isReachable = (actor: Actor, pkg: PackageRow) => isStaff(actor) || isOwn(actor, pkg) || isCarriedBy(actor, pkg);

const mayPlace = (actor: Actor, pkg: PackageRow) =>
  isStaff(actor) ? !isFinal(pkg.status) : mayChange('address', pkg.status);
