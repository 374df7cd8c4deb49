import type { PublicRecipient } from '@waybill/contract';
import { asRouteChanges, routeChangesSince, type RouteChanges } from '../events/route-changes.ts';
import type { Db, Queryable, Tx } from '../platform/database/db.ts';
import { instant, quoted, text } from '../platform/database/json-text.ts';
import { trackingIdTakenError } from './package-errors.ts';
import {
  eventsOnPublicTimeline,
  firstNameOf,
  isNextStop,
  isOnTheRoad,
  isWithdrawn,
  nextStepJson,
  onTheRoadJson,
  publicEvent,
  recipientColumns,
  type OnTheRoad,
} from './public-view.ts';
import { isCarrierOf } from './row.ts';

/**
 * The stored public view of each package: the JSON text of the lookup's response, so that a lookup is one index read. It has only what the
 * package's own row and events decide. What depends on time, settings or accounts is put in when it is read: values that may be
 * replaced are enclosed in separators. JSON escapes control characters, so the separator occurs in no value.
 */
const separator = '\x1f';
const separatorSql = String.raw`E'\x1f'`;

/** The parts of a stored view: fixed text and, in between, values that are replaced in some cases. `sender` and `carrier` follow `masked`. */
const parts = [
  `concat('{"trackingId":"', p.tracking_id, '","name":', ${text('p.name')}, ',"status":"', p.status, '","location":')`,
  `case when ${isWithdrawn} then 'null' else ${text('p.location')} end`,
  `concat(',"eta":', ${text('p.eta')}, ',"estimatedDeliveryTime":')`,
  quoted(instant('p.estimated_delivery_at')),
  `concat(',"completedAt":', ${quoted(instant('p.completed_at'))}, ',"nextStep":', ${nextStepJson}, ',"recipientName":')`,
  `case when p.hide_recipient or ${isWithdrawn} then 'null' else ${text(recipientColumns.full)} end`,
  `case when p.hide_recipient or ${isWithdrawn} then 'null' else ${text(recipientColumns.masked)} end`,
  `concat(',"category":', ${text('p.category')}, ',"weight":', trim_scale(p.weight),
    ',"lastUpdate":"', ${instant('coalesce(timeline.last_at, p.updated_at)')}, '","events":[', timeline.events, ']}')`,
];

/** The rows of `public_views` as the tables have them, of the packages $1. */
export const currentViews = `
  select p.tracking_id, p.id as package_id, concat_ws(${separatorSql}, ${parts.join(', ')}) as view,
    case when p.show_sender and not ${isWithdrawn} then p.owner_id end as sender_id,
    case when ${isOnTheRoad} then p.driver_id end as driver_id, case when ${isOnTheRoad} then p.route_id end as route_id, p.completed_at
  from packages p
  cross join lateral (
    select string_agg(${publicEvent(isWithdrawn)}, ',' order by e.id desc) as events, max(e.at) as last_at from ${eventsOnPublicTimeline} and e.package_id = any($1)
  ) timeline
  where p.id = any($1)`;

/** SQL of `storeViews`. $1: package ids. No row for a package whose tracking ID is another package's. */
export const storeViewsSql = `
  insert into public_views (tracking_id, package_id, view, sender_id, driver_id, route_id, completed_at) ${currentViews}
  on conflict (tracking_id) do update set view = excluded.view, sender_id = excluded.sender_id, driver_id = excluded.driver_id,
    route_id = excluded.route_id, completed_at = excluded.completed_at, stale = false
  where public_views.package_id = excluded.package_id
  returning package_id`;

/**
 * Stores the public views of packages as the transaction has them. Call it after the last change of a row or an event of theirs. The
 * transaction must hold the row locks: the statement's snapshot is later, so it sees everything that was committed before.
 *
 * The table is also the directory of tracking IDs: its key holds where packages are distributed, so that their unique index cannot be.
 * @param ids each once, of packages that exist
 * @throws tracking_id_taken if the tracking ID of a package is another one's
 */
export const storeViews = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  const stored = await tx.query(storeViewsSql, [ids]);
  if (stored.length < ids.length) throw trackingIdTakenError();
};

const senderOf = `(select u.name from users u where u.id = v.sender_id and u.deleted_at is null)`;
const hasPosition = 'exists (select from driver_positions l where l.driver_id = v.driver_id and l.at >= $3)';
const noCarrier = '-';
const noRoute = '0';
/**
 * What is known about the driver who carries the package. On a route it is read with that. The name as it is: to find the first name by
 * regular expressions takes PostgreSQL a fifth of a lookup. It comes last, since it might contain the separator.
 */
const carrier = `case when v.route_id is not null then concat(v.route_id, ${separatorSql}, v.package_id, ${separatorSql})
    else coalesce((select concat(case when ${hasPosition} then concat('${noRoute}', ${separatorSql}, v.package_id) end, ${separatorSql}, u.name)
      from users u where ${isCarrierOf('u', 'v')}), '${noCarrier}') end`;

/**
 * $1: tracking IDs; $2: the time before which completed deliveries are withheld; $3: the time since which a position is shown.
 * `supplement` is null where the stored text is complete.
 */
const readViewsSql = `
  select v.view, case when v.sender_id is null and v.driver_id is null and (v.completed_at is null or v.completed_at >= $2) then null
    else concat(case when v.completed_at < $2 then 'withheld' end, ${separatorSql},
      case when v.sender_id is not null then ${text(senderOf)} end, ${separatorSql},
      case when v.driver_id is not null then ${carrier} end) end as supplement
  from public_views v where v.tracking_id = any($1) and not v.stale`;

/** With what has changed since the snapshot $4 in a row without a view: see `routeChangesSince`. */
const readViewsAndChangesSql = `${readViewsSql}
  union all select null, ${routeChangesSince('$4')}`;

interface StoredView {
  view: string | null;
  supplement: string | null;
}

/** The location of each event. Inside of a JSON string a quotation mark is escaped, so this matches a key only. */
const eventLocations = /"location":"(?:[^"\\]|\\.)*"/g;

/** A public view that was read. */
export interface ReadView {
  /** Of a package on the road that is on a route, or whose driver has sent a position. */
  stop: Stop | null;
  /** Its JSON text. @param onTheRoad what is put in */
  text(onTheRoad?: OnTheRoad): string;
}

export interface Stop {
  routeId: string | null;
  packageId: string;
  /** The driver is on the way to it. */
  isNext: boolean;
  /** The text needs the driver of the route. */
  lacksDriver: boolean;
}

/** What the stored views are read for. */
export interface ReadTerms {
  recipient: PublicRecipient;
  withheldBefore: Date;
  /** Older positions are not shown. */
  positionsSince: Date;
  /** The snapshot since which changes of routes are told; null: they are not. */
  seen: string | null;
}

/** A driver whose first name is shown, as JSON, by the whole name: finding it takes longer than all else that is put into a view. */
const carriers = new Map<string, string>();
const maxCarriers = 10_000;

function carrierOfName(name: string): string {
  const known = carriers.get(name);
  if (known !== undefined) return known;
  if (carriers.size >= maxCarriers) carriers.clear();
  const carrier = JSON.stringify({ firstName: firstNameOf(name) });
  carriers.set(name, carrier);
  return carrier;
}

function compose(view: string, supplement: string | null, recipient: PublicRecipient): ReadView {
  if (supplement === null) return { stop: null, text: () => fill(view, recipient) };
  const sender = supplement.indexOf(separator) + 1;
  const driver = supplement.indexOf(separator, sender) + 1;
  const filling = {
    isWithheld: sender > 1,
    sender: sender > 1 || driver === sender + 1 ? 'null' : supplement.slice(sender, driver - 1),
    carrier: 'null',
    isStranded: supplement.startsWith(noCarrier, driver),
  };
  if (driver === supplement.length || filling.isStranded)
    return { stop: null, text: () => fill(view, recipient, filling) };
  const route = supplement.indexOf(separator, driver);
  if (route === driver) {
    filling.carrier = carrierOfName(supplement.slice(driver + 1));
    return { stop: null, text: () => fill(view, recipient, filling) };
  }
  const packageId = supplement.indexOf(separator, route + 1);
  const routeId = supplement.slice(driver, route);
  const stop = {
    packageId: supplement.slice(route + 1, packageId),
    isNext: isNextStop(view.slice(0, view.indexOf(separator))),
  };
  if (routeId === noRoute) {
    filling.carrier = carrierOfName(supplement.slice(packageId + 1));
    return {
      stop: { ...stop, routeId: null, lacksDriver: false },
      text: (onTheRoad) => fill(view, recipient, filling, onTheRoad),
    };
  }
  return {
    stop: { ...stop, routeId, lacksDriver: true },
    text: (onTheRoad = notOnTheRoad) => {
      filling.isStranded = onTheRoad.driver === null;
      filling.carrier = onTheRoad.driver === null ? 'null' : carrierOfName(onTheRoad.driver);
      return fill(view, recipient, filling, onTheRoad);
    },
  };
}

/** What is put into a view: of most nothing. The sender and the carrier are JSON. */
interface Filling {
  isWithheld: boolean;
  sender: string;
  carrier: string;
  /** Its driver is not able to deliver it. */
  isStranded: boolean;
}

const noFilling: Filling = { isWithheld: false, sender: 'null', carrier: 'null', isStranded: false };
const notOnTheRoad: OnTheRoad = { arrival: null, position: null, driver: null };

/** Puts into a view what it does not store: by cutting rather than by arrays of parts. */
function fill(
  view: string,
  recipient: PublicRecipient,
  { isWithheld, sender, carrier, isStranded }: Filling = noFilling,
  onTheRoad = notOnTheRoad,
): string {
  const location = view.indexOf(separator);
  const eta = view.indexOf(separator, location + 1);
  const estimate = view.indexOf(separator, eta + 1);
  const completion = view.indexOf(separator, estimate + 1);
  const full = view.indexOf(separator, completion + 1);
  const masked = view.indexOf(separator, full + 1);
  const rest = view.indexOf(separator, masked + 1);
  const shownRecipient =
    isWithheld || recipient === 'hidden'
      ? 'null'
      : recipient === 'full'
        ? view.slice(full + 1, masked)
        : view.slice(masked + 1, rest);
  const end = view.slice(rest + 1);
  return (
    view.slice(0, location) +
    (isWithheld ? 'null' : view.slice(location + 1, eta)) +
    view.slice(eta + 1, estimate) +
    onTheRoadJson(isStranded ? 'null' : view.slice(estimate + 1, completion), onTheRoad) +
    view.slice(completion + 1, full) +
    shownRecipient +
    ',"sender":' +
    sender +
    ',"carrier":' +
    carrier +
    (isWithheld ? end.replaceAll(eventLocations, '"location":null') : end)
  );
}

const start = '{"trackingId":"'.length;
const trackingIdLength = 'PKG-00000000'.length;

/**
 * Returns the public views of these tracking IDs, without those that have no stored view or a stale one, and which routes have changed since
 * the snapshot that was seen: null if that is null, or a standby has answered.
 */
export async function readStoredViews(
  db: Queryable,
  trackingIds: readonly string[],
  { recipient, withheldBefore, positionsSince, seen }: ReadTerms,
): Promise<{ views: Map<string, ReadView>; changes: RouteChanges | null }> {
  const params = [trackingIds, withheldBefore, positionsSince];
  const rows = await (seen === null
    ? db.query<StoredView>(readViewsSql, params)
    : db.query<StoredView>(readViewsAndChangesSql, [...params, seen]));
  const views = new Map<string, ReadView>();
  let changes: RouteChanges | null = null;
  for (const { view, supplement } of rows)
    if (view !== null) views.set(view.slice(start, start + trackingIdLength), compose(view, supplement, recipient));
    else if (supplement !== null) changes = asRouteChanges(supplement);
  return { views, changes };
}

/** Packages per transaction. */
const batchSize = 500;

/**
 * Stores the views that are marked as stale: of packages from before the table was there, restored ones, and those that a server of version
 * 0.2.0 changed. Until then a lookup composes them from the tables.
 * @returns how many it stored
 */
export async function storeStaleViews(db: Pick<Db, 'transaction'>): Promise<number> {
  for (let total = 0; ;) {
    const stored = await db.transaction(async (tx) => {
      const locked = await tx.query<{ id: string }>(
        `select id from packages where id = any(array(select package_id from public_views where stale order by package_id limit ${batchSize}))
         order by id for no key update skip locked`,
      );
      await storeViews(
        tx,
        locked.map(({ id }) => id),
      );
      return locked.length;
    });
    total += stored;
    if (stored < batchSize) return total;
  }
}
