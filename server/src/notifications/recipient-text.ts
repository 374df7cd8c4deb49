import { dayIn, fill, notificationKindOf, type RecipientChangeKind, type SlowChannel } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import type { Ctx } from '../ctx.ts';
import { listDepots } from '../depots/service.ts';
import { pinOf } from '../packages/pin.ts';
import { recipientLink } from '../packages/recipient-link.ts';
import { withArrivals, type Arrival } from '../packages/rounds.ts';
import {
  addressLineOf,
  asWindow,
  findPackages,
  forecastOf,
  pinStateOf,
  recipientChangesOf,
  type AddressColumns,
  type PackageRow,
} from '../packages/row.ts';
import type { Queryable } from '../platform/database/db.ts';

/** What of a package texts for its recipient need. */
type ToldPackage = AddressColumns &
  Pick<
    PackageRow,
    | 'id'
    | 'tracking_id'
    | 'link_version'
    | 'status'
    | 'recipient_email'
    | 'recipient_phone'
    | 'received_by'
    | 'allow_changes'
    | 'handling_safe_place'
    | 'handling_pin'
    | 'handling_age'
    | 'pin_check'
    | 'next_step'
    | 'next_day'
    | 'return_due'
    | 'eta'
    | 'window_from'
    | 'window_to'
    | 'started_at'
    | 'recipient_changes'
  >;

/** A package as the recipient is told of it. */
export interface RecipientFacts {
  pkg: ToldPackage;
  /** The owner's name, if the owner shows it. */
  sender: string | null;
  /** Whether the owner wants the recipient to be told this. */
  enabled: boolean;
  /** As on the tracker; null without a driver. */
  expected: { at: string; window: Arrival['arrivalWindow'] | null } | null;
  /** What the driver asks for; null if nobody does, or not any more. */
  pin: string | null;
  /** Where it can be collected, if it is. */
  depot: string | null;
}

type FactsCtx = Pick<Ctx, 'config' | 'now' | 'urlKey'> & { db: Queryable };

/** What a message for a recipient is about. */
export interface ToldOf {
  packageId: string;
  /** Of the event. */
  type: string;
}

/** What is true of packages now, in this order: a few statements for any number. Null for one that does not exist any more. */
export async function findRecipientFacts(ctx: FactsCtx, told: ToldOf[]): Promise<(RecipientFacts | null)[]> {
  const packages = await findPackages(ctx.db, [...new Set(told.map(({ packageId }) => packageId))]);
  if (packages.length === 0) return told.map(() => null);
  const isCollected = packages.some(({ next_step: nextStep }) => nextStep === 'collect');
  const [arrivals, owners, depots] = await Promise.all([
    withArrivals(
      ctx,
      ctx.db,
      packages,
      packages.map(({ id }): { id: string } & Partial<Arrival> => ({ id })),
    ),
    findOwnersChoices(ctx.db, packages),
    isCollected ? listDepots(ctx) : [],
  ]);
  const found = new Map(packages.map((pkg, index) => [pkg.id, { pkg, arrival: arrivals[index] }]));
  return told.map(({ packageId, type }) => {
    const { pkg, arrival } = found.get(packageId) ?? {};
    if (!pkg) return null;
    const owner = owners.get(pkg.owner_id);
    const at = arrival?.estimatedDeliveryTime ?? forecastOf(pkg);
    const depot = pkg.next_step === 'collect' ? depots.find(({ id }) => id === pkg.depot_id) : undefined;
    return {
      pkg,
      sender: pkg.show_sender ? (owner?.name ?? null) : null,
      enabled: owner?.choices[notificationKindOf(type) ?? ''] ?? true,
      expected: at === null ? null : { at, window: arrival?.arrivalWindow ?? null },
      pin: pinStateOf(pkg) === null || pinStateOf(pkg) === 'waived' ? null : pinOf(ctx, pkg),
      depot: depot ? [depot.name, depot.address && addressLine(depot.address)].filter(Boolean).join(', ') : null,
    };
  });
}

interface OwnersChoices {
  id: string;
  name: string;
  /** Of what recipients are told, by kind. */
  choices: Partial<Record<string, boolean>>;
}

/** The owners of packages, without those that do not exist any more. */
async function findOwnersChoices(db: Queryable, packages: { owner_id: string }[]): Promise<Map<string, OwnersChoices>> {
  const owners = await db.query<OwnersChoices>(
    `select u.id, u.name, coalesce((select jsonb_object_agg(p.kind, p.enabled) from notification_preferences p
       where p.user_id = u.id and p.channel = 'recipient'), '{}') as choices
     from users u where u.id = any($1) and u.deleted_at is null`,
    [[...new Set(packages.map(({ owner_id: id }) => id))]],
  );
  return new Map(owners.map((owner) => [owner.id, owner]));
}

const addressLine = ({ street, postalCode, city }: { street: string; postalCode?: string | null; city: string }) =>
  `${street}, ${[postalCode, city].filter(Boolean).join(' ')}`;

/** Whether a message is still true. What has changed since is told by a message of its own. */
export function isStillTrue(type: string, { status, next_step: nextStep, return_due: returns }: ToldPackage): boolean {
  const isWithdrawn = status === 'cancelled' || status === 'inactive';
  switch (type) {
    case 'delivery.started':
    case 'delivery.assigned':
      return status === 'in transit' || status === 'out for delivery';
    case 'delivery.next':
      return status === 'out for delivery';
    case 'delivery.completed':
    case 'package.collected':
      return status === 'delivered';
    case 'delivery.failed':
    case 'delivery.released':
      return status === 'processing';
    case 'delivery.reopened':
      return status !== 'delivered' && !isWithdrawn;
    case 'package.updated':
    case 'package.changed-by-recipient':
      return status !== 'delivered' && !isWithdrawn;
    case 'package.next-step':
      return status === 'processing' && (nextStep !== null || returns);
    case 'package.created':
      return !isWithdrawn;
    case 'package.returned':
      return status === 'cancelled';
    default:
      return isWithdrawn;
  }
}

/** The address that a channel reaches the recipient by now. */
export const addressFor = (channel: SlowChannel, { pkg }: RecipientFacts): string | null =>
  ({ email: pkg.recipient_email, sms: pkg.recipient_phone, push: null })[channel];

/** The recipient's link; null without an address of the product. */
export const linkFor = ({ urlKey }: Pick<Ctx, 'urlKey'>, origin: string | null, { pkg }: RecipientFacts) =>
  origin === null ? null : recipientLink({ urlKey }, origin, pkg);

const formats = {
  day: { weekday: 'long', day: 'numeric', month: 'long' },
  time: { timeStyle: 'short' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

/** By format, language and zone: making one takes longer than all else of a text. */
const madeFormats = new Map<string, Intl.DateTimeFormat>();

function formatOf(name: keyof typeof formats, locale: string, timeZone: string): Intl.DateTimeFormat {
  const key = `${name} ${locale} ${timeZone}`;
  const format = madeFormats.get(key) ?? new Intl.DateTimeFormat(locale, { ...formats[name], timeZone });
  if (madeFormats.size >= 600) madeFormats.clear();
  madeFormats.set(key, format);
  return format;
}

/** The values of the placeholders that texts for recipients have besides those of the event. Each but the first two is a sentence, or nothing. */
export function recipientValues(
  { pkg, sender, expected, depot }: RecipientFacts,
  { organisation, timeZone, now }: { organisation: string; timeZone: string; now: Date },
  { locale, notifications: { recipient: said } }: Texts,
): Record<string, string> {
  const day = (of: string) => formatOf('day', locale, 'UTC').format(new Date(of));
  const time = formatOf('time', locale, timeZone);
  const sentence = (text: string, values: Record<string, string> = {}) => ` ${fill(text, values)}`;
  const timesOf = (from: Date, to: Date) => ({ from: time.format(from), to: time.format(to) });
  const onDay = (at: Date) =>
    dayIn(timeZone, at) === dayIn(timeZone, now) ? '' : sentence(said.day, { day: day(dayIn(timeZone, at)) });

  const when = (): string => {
    if (expected === null) return '';
    const { at, window } = expected;
    return (
      onDay(new Date(at)) +
      (window
        ? sentence(said.window, timesOf(new Date(window.from), new Date(window.to)))
        : sentence(said.around, { time: time.format(new Date(at)) }))
    );
  };
  const wish = asWindow(pkg);
  const wished = wish
    ? sentence(said.wished, {
        day: day(dayIn(timeZone, new Date(wish.from))),
        ...timesOf(new Date(wish.from), new Date(wish.to)),
      })
    : '';
  const address = addressLineOf(pkg);
  // What they chose last holds.
  const choiceOf = (kind: RecipientChangeKind) => recipientChangesOf(pkg).findLast((one) => one.kind === kind)?.choice;
  const note = choiceOf('instructions')?.text;
  const where = (): string => {
    const { name, address: door } = choiceOf('neighbour') ?? {};
    if (name !== undefined && door !== undefined) return sentence(said.neighbour, { name, address: door });
    return address === null ? '' : sentence(said.address, { address });
  };
  const plan = (): string => {
    if (pkg.return_due || pkg.next_step === 'return') return sentence(said.returns);
    if (pkg.next_step === 'collect')
      return depot === null ? sentence(said.collectAnywhere) : sentence(said.collect, { depot });
    const next = pkg.next_day ?? (wish ? null : pkg.eta);
    return (
      (next === null ? '' : sentence(said.planned, { day: day(next) })) +
      wished +
      (pkg.handling_safe_place === null ? '' : sentence(said.safePlace, { place: pkg.handling_safe_place })) +
      where() +
      (note === undefined ? '' : sentence(said.note, { text: note }))
    );
  };
  const next = (): string => {
    if (pkg.return_due || pkg.next_step !== null) return plan();
    return sentence(said.again) + (pkg.allow_changes ? sentence(said.choose) : '');
  };
  const isCollected = pkg.started_at === null;
  return {
    sender: sender ?? organisation,
    trackingId: pkg.tracking_id,
    when: when(),
    planned: pkg.eta === null ? wished : sentence(said.planned, { day: day(pkg.eta) }) + wished,
    plan: plan(),
    next: next(),
    received: pkg.received_by === null ? '' : sentence(said.received, { name: pkg.received_by }),
    place: address === null || isCollected ? '' : sentence(said.place, { address }),
  };
}

/** What is told before the driver comes. */
const beforehand: ReadonlySet<string> = new Set([
  'package.created',
  'delivery.started',
  'delivery.assigned',
  'delivery.next',
]);

/**
 * What the recipient needs at the door: a paragraph of its own, so that texts which were changed have it too. Null if nothing is asked, and
 * in messages that say something else.
 */
export function atTheDoor(
  type: string,
  { pkg, pin }: RecipientFacts,
  { notifications: { recipient: said } }: Texts,
): string | null {
  if (!beforehand.has(type)) return null;
  const asked = [
    pin !== null && fill(said.pin, { pin }),
    pkg.handling_age !== null && fill(said.age, { age: pkg.handling_age }),
  ].filter((sentence) => sentence !== false);
  return asked.length > 0 ? asked.join(' ') : null;
}

/** The placeholders of texts for recipients, besides those of the event. */
export const recipientPlaceholders = ['sender', 'trackingId', 'when', 'planned', 'plan', 'next', 'received', 'place'];

/** What previews and tests of these texts tell of. */
export const exampleFacts = (now: Date): RecipientFacts => ({
  pkg: {
    id: '00000000-0000-7000-8000-000000000000',
    tracking_id: 'PKG-EXAMPLE0',
    link_version: 1,
    status: 'in transit',
    recipient_email: null,
    recipient_phone: null,
    received_by: 'Mara Lind',
    allow_changes: true,
    handling_safe_place: null,
    handling_pin: false,
    handling_age: null,
    pin_check: null,
    next_step: null,
    next_day: null,
    return_due: false,
    eta: now.toISOString().slice(0, 10),
    window_from: null,
    window_to: null,
    started_at: now,
    recipient_changes: null,
    address_street: 'Am Markt 3',
    address_postal_code: '20095',
    address_city: 'Hamburg',
    address_country: null,
  },
  sender: 'Olga Owner',
  enabled: true,
  expected: {
    at: new Date(now.getTime() + 3_600_000).toISOString(),
    window: {
      from: new Date(now.getTime() + 1_800_000).toISOString(),
      to: new Date(now.getTime() + 5_400_000).toISOString(),
    },
  },
  pin: null,
  depot: null,
});
