import { publicEventTypes, publicForDays, type PublicRecipient } from '@waybill/contract';
import type { Tx } from '../platform/database/db.ts';
import { instant, quoted, text } from '../platform/database/json-text.ts';
import type { Arrival } from './rounds.ts';
import { isCarrierOf } from './row.ts';

// White space of every script, independent of the database's locale, and zero-width characters, which older rows may contain.
const whitespace = '\\s\\u00a0\\u1680\\u2000-\\u200b\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const commas = ',;\\u060c\\u3001\\uff0c\\uff1b';

/** SQL for the words of a person's name, as the array `word`. In 'Berg, Anna' the part after the comma comes first. */
const wordsOfName = (name: string) => `select array_remove(regexp_split_to_array(
  regexp_replace(${name}, '^([^${commas}]*)[${commas}](.*)$', '\\2 \\1'), '[${whitespace}${commas}]+'), '') as word`;

/**
 * The recipient's name in public: in full, as first name and initial, or hidden. A single word may be a surname, so masking leaves only
 * its initial.
 */
export const recipientColumns: Record<PublicRecipient, string> = {
  full: 'p.recipient_name',
  masked: `(select case when cardinality(word) > 1 then word[1] || ' ' else '' end || left(word[cardinality(word)], 1) || '.'
    from (${wordsOfName('p.recipient_name')}) words)`,
  hidden: 'null::text',
};

/** What follows `estimatedDeliveryTime` in a view, until the arrival on a route is put in. */
const noArrival = ',"arrivalWindow":null,"stopsAway":null';
/** What follows that, until the driver's position is put in. */
const noPosition = ',"driverPosition":null';

/** What the public sees of a package on the road that other packages and the driver decide. */
export interface OnTheRoad {
  arrival: Arrival | null;
  /** JSON: see `server/src/positions/last-positions.ts`. */
  position: string | null;
  /** The name of the driver of its route, where the view lacks it; null if the account is not active. */
  driver: string | null;
}

const arrivals = new WeakMap<Arrival, string>();

/** JSON text from the value of `estimatedDeliveryTime`. Arrivals are computed once for many lookups, and so is this. */
function arrivalJson(arrival: Arrival): string {
  const known = arrivals.get(arrival);
  if (known !== undefined) return known;
  const { estimatedDeliveryTime, arrivalWindow, stopsAway } = arrival;
  const json = `"${estimatedDeliveryTime}","arrivalWindow":${JSON.stringify(arrivalWindow)},"stopsAway":${stopsAway}`;
  arrivals.set(arrival, json);
  return json;
}

/** JSON text from the value of `estimatedDeliveryTime` to `driverPosition`. @param estimate JSON, where no arrival is known */
export function onTheRoadJson(
  estimate: string,
  { arrival, position }: Pick<OnTheRoad, 'arrival' | 'position'>,
): string {
  const expected = arrival ? arrivalJson(arrival) : estimate + noArrival;
  return expected + (position ? `,"driverPosition":${position}` : noPosition);
}

/** Unescaped quotation marks are those of keys, so this matches nothing else. */
const onTheRoadFields = new RegExp(`("estimatedDeliveryTime":)(null|"[^"]*")${noArrival}${noPosition}`);

/** Puts these into the JSON text of a view that has none of them yet. */
export const putOnTheRoad = (view: string, onTheRoad: OnTheRoad): string =>
  view.replace(onTheRoadFields, (_fields, name: string, estimate: string) => name + onTheRoadJson(estimate, onTheRoad));

/** Whether the JSON text of a view is that of a package whose driver may be shown. */
export const isNextStop = (view: string): boolean => view.includes('"status":"out for delivery"');

export const showsPosition = (view: string): boolean => !view.includes(noPosition);

/** The sender's name; null once the account is deleted. */
const sender = `(select u.name from users u where u.id = p.owner_id and u.deleted_at is null)`;

export const isOnTheRoad = `p.status in ('in transit', 'out for delivery')`;

/** Packages `p`, each with its driver `carrier` while on the road. A join, because two fields need it: subqueries would look it up twice. */
export const publicSource = `packages p left join users carrier on ${isOnTheRoad} and ${isCarrierOf('carrier', 'p')}`;

/** JSON of a driver, a row of users, reduced to the first name. */
export const carrierJson = (users: string) =>
  `concat('{"firstName":', to_json((select word[1] from (${wordsOfName(`${users}.name`)}) words)), '}')`;

const lastNameFirst = /^([^,;\u060c\u3001\uff0c\uff1b]*)[,;\u060c\u3001\uff0c\uff1b](.*)$/s;
const betweenWords = /[\s\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff,;\u060c\u3001\uff0c\uff1b]+/;

/** The same first name, without SQL. */
export const firstNameOf = (name: string): string =>
  name
    .replace(lastNameFirst, '$2 $1')
    .split(betweenWords)
    .find((word) => word !== '') ?? '';

/** JSON of what happens next with a package `p`, as PublicView has it. */
export const nextStepJson = `case
  when p.status not in ('processing', 'in transit', 'out for delivery') then 'null'
  when p.return_due then '{"kind":"return","day":null}'
  when p.next_step is null then 'null'
  else concat('{"kind":"', p.next_step, '","day":', ${text('p.next_day')}, '}') end`;

/** SQL condition: the package is cancelled or deleted, so recipient and places are withheld. */
export const isWithdrawn = `p.status in ('cancelled', 'inactive')`;

/** SQL condition: recipient and places are withheld, because the package is cancelled or deleted, or was delivered before $2. */
export const isWithheld = `(${isWithdrawn} or coalesce(p.completed_at < $2, false))`;

/** Public fields. They decide whether an edit was public if its event has no `shown`, as events written by version 0.2.0. */
const shownFields = ['name', 'location', 'eta', 'recipientName', 'hideRecipient', 'showSender', 'category', 'weight'];

const publicTypes = publicEventTypes.map((type) => `'${type}'`).join(', ');

/** The events `e` of the package `p` on its public timeline: the source of a select. */
export const eventsOnPublicTimeline = `package_events e where e.package_id = p.id and e.type in (${publicTypes})
  and (e.type <> 'package.updated' or coalesce(e.shown,
    e.changes is null or e.changes ?| array[${shownFields.map((field) => `'${field}'`).join(', ')}]))`;

/** The public place of an event. For the delivery only the town: earlier versions recorded more in the event. */
const eventPlace = `case when e.status = 'delivered' then p.location else e.location end`;

/** JSON of an event `e` on the public timeline. @param withheld the condition under which its place is withheld */
export const publicEvent = (withheld: string) => `concat(
  '{"type":"', e.type,
  '","at":"', ${instant('e.at')},
  '","location":', case when ${withheld} then 'null' else ${text(`(${eventPlace})`)} end, '}')`;

/**
 * The public fields of a package from `publicSource`, as arguments of concat that build JSON text: concat takes two thirds of the time of
 * json_build_object. $2: deliveries completed before this time show neither recipient nor places.
 */
export const publicFields = (recipient: PublicRecipient) => `
  '"name":', ${text('p.name')},
  ',"status":"', p.status,
  '","location":', case when ${isWithheld} then 'null' else ${text('p.location')} end,
  ',"eta":', ${text('p.eta')},
  ',"estimatedDeliveryTime":', case when ${isOnTheRoad} and carrier.id is null then 'null' else ${quoted(instant('p.estimated_delivery_at'))} end,
  '${noArrival}${noPosition}',
  ',"completedAt":', ${quoted(instant('p.completed_at'))},
  ',"nextStep":', ${nextStepJson},
  ',"recipientName":', case when p.hide_recipient or ${isWithheld} then 'null' else ${text(recipientColumns[recipient])} end,
  ',"sender":', case when p.show_sender and not ${isWithheld} then ${text(sender)} else 'null' end,
  ',"carrier":', case when carrier.id is null then 'null' else ${carrierJson('carrier')} end,
  ',"category":', ${text('p.category')},
  ',"weight":', trim_scale(p.weight)`;

/** Packages delivered before this time (30 days ago) no longer show recipient and places in public. */
export const withheldBefore = (now: Date): Date => new Date(now.getTime() - publicForDays * 86_400_000);

/** Reads the public fields as one string, to compare before and after an edit: unchanged ones make no public event. */
export async function readPublicFields(
  tx: Tx,
  id: string,
  terms: { recipient: PublicRecipient; withheldBefore: Date },
): Promise<string> {
  const [row] = await tx.query<{ shown: string }>(
    `select concat(${publicFields(terms.recipient)}) as shown from ${publicSource} where p.id = $1`,
    [id, terms.withheldBefore],
  );
  return row?.shown ?? '';
}
