import type { Ctx } from '../ctx.ts';
import type { Tx } from '../platform/database/db.ts';
import { lockNextStop } from './on-routes.ts';
import { recordPackages } from './package-event.ts';
import { addressOf, destinationOf, hasArrived, type PackageRow } from './row.ts';
import { changePackages, type Transition } from './transitions.ts';

async function changeAll(
  ctx: Pick<Ctx, 'now'>,
  tx: Tx,
  packages: PackageRow[],
  to: Transition,
  actorId: string | null,
): Promise<void> {
  if (packages.length === 0) return;
  const changed = await changePackages(
    ctx,
    tx,
    packages.map((pkg) => ({ pkg, to, actorId })),
  );
  await recordPackages(
    tx,
    changed.map(({ event }) => event),
  );
}

/** Marks the first stop in transit of a started route as the next one, where no other is. */
export async function markNextStop(
  ctx: Pick<Ctx, 'now'>,
  tx: Tx,
  routeId: string,
  actorId: string | null,
): Promise<void> {
  const pkg = await lockNextStop(tx, routeId);
  if (pkg) await changeAll(ctx, tx, [pkg], { kind: 'next' }, actorId);
}

const lower = (part: string | null) => (part ?? '').replaceAll(/\s+/g, ' ').trim().toLowerCase();

/** Whether both go to the same address text: street with number, postal code and city, without regard to case and blanks. */
function haveSameAddress(one: PackageRow, other: PackageRow): boolean {
  const [here, there] = [addressOf(destinationOf(one)), addressOf(destinationOf(other))];
  if (!here || !there) return false;
  return (['street', 'postalCode', 'city'] as const).every((part) => lower(here[part]) === lower(there[part]));
}

/**
 * Puts other stops of the route that are out for delivery back to in transit: all when `pkg` becomes the next stop; when the driver arrives
 * at it, all but those at the same address where the driver has arrived as well.
 * @param locked packages that are locked, of the route and others
 */
export async function deferOthers(
  ctx: Pick<Ctx, 'now'>,
  tx: Tx,
  pkg: PackageRow,
  locked: Iterable<PackageRow>,
  { kind, actorId }: { kind: 'next' | 'arrive'; actorId: string | null },
): Promise<void> {
  if (pkg.route_id === null) return;
  const others = [...locked].filter(
    (other) =>
      other.id !== pkg.id &&
      other.route_id === pkg.route_id &&
      other.driver_id === pkg.driver_id &&
      other.status === 'out for delivery' &&
      !(kind === 'arrive' && hasArrived(other) && haveSameAddress(pkg, other)),
  );
  await changeAll(ctx, tx, others, { kind: 'defer' }, actorId);
}
