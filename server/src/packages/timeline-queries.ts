import type { FailedAttempt, PackageEventType, TrackingEvent } from '@waybill/contract';
import { privateImageUrl } from '../images/service.ts';
import type { Queryable } from '../platform/database/db.ts';
import { countRows, type Count } from '../platform/database/keyset-lists.ts';
import { locationOf, type PackageRow } from './row.ts';

export interface EventRow {
  id: string;
  type: PackageEventType;
  status: string;
  at: Date;
  recorded_at: Date | null;
  location: string | null;
  actor: string | null;
  note: string | null;
  changes: TrackingEvent['changes'];
  reply_to: string | null;
}

/** Shows the address as the place of the delivery: readers of this timeline may see it. */
/** Paths of images become URLs. */
function voidProofOf(signer: Signer, changes: TrackingEvent['changes']): TrackingEvent['changes'] {
  if (!changes) return null;
  const shown = ([field, { from, to }]: [string, { from: unknown; to: unknown }]) =>
    [
      field,
      { from: field === 'photo' || field === 'signature' ? privateImageUrl(signer, String(from)) : from, to },
    ] as const;
  return Object.fromEntries(Object.entries(changes).map(shown));
}

function changesOf(signer: Signer, { type, changes }: Pick<EventRow, 'type' | 'changes'>): TrackingEvent['changes'] {
  if (type === 'package.messaged') return null;
  return type === 'delivery.reopened' ? voidProofOf(signer, changes) : changes;
}

type Signer = Parameters<typeof privateImageUrl>[0];

export const asTrackingEvent = (
  signer: Signer,
  pkg: PackageRow,
  { reply_to: replyTo, recorded_at: recordedAt, ...row }: EventRow,
): TrackingEvent => ({
  ...row,
  replyTo,
  changes: changesOf(signer, row),
  at: row.at.toISOString(),
  recordedAt: recordedAt?.toISOString() ?? null,
  location: row.status === 'delivered' ? locationOf(pkg) : row.location,
});

export const listEvents = (db: Queryable, packageId: string, before: string | null, limit: number) =>
  db.query<EventRow>(
    `select e.id, e.type, e.status, e.at, e.recorded_at, e.location, u.name as actor, e.note, e.changes, case when e.type = 'package.messaged' then e.changes #>> '{replyTo,to}' end as reply_to
     from package_events e left join users u on u.id = e.actor_id
     where e.package_id = $1 and ($2::bigint is null or e.id < $2)
     order by e.id desc limit $3`,
    [packageId, before, limit],
  );

export const countEvents = (db: Queryable, packageId: string): Promise<Count> =>
  countRows(db, 'package_events where package_id = $1', [packageId]);

interface FailedAttemptRow {
  number: number;
  ended_at: Date;
  photo: string | null;
  card_left: boolean | null;
  driver: string | null;
  reason: string | null;
}

const mostAttempts = 100;

/** The newest first. */
export const findFailedAttempts = (db: Queryable, packageId: string) =>
  db.query<FailedAttemptRow>(
    `select a.number, a.ended_at, a.photo, a.card_left, u.name as driver, a.reason
     from delivery_attempts a left join users u on u.id = a.driver_id
     where a.package_id = $1 and a.outcome = 'failed' order by a.number desc limit ${mostAttempts}`,
    [packageId],
  );

export const asFailedAttempt = (signer: Signer, row: FailedAttemptRow): FailedAttempt => ({
  number: row.number,
  at: row.ended_at.toISOString(),
  driver: row.driver,
  reason: row.reason,
  photo: row.photo && privateImageUrl(signer, row.photo),
  cardLeft: row.card_left === true,
});

/** @returns the id of a package by its tracking ID */
export async function findIdByTrackingId(db: Queryable, trackingId: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>('select id from packages where tracking_id = $1', [trackingId]);
  return row?.id ?? null;
}

/** Whether the package got the same message since then. */
export async function hasMessage(
  db: Queryable,
  packageId: string,
  message: { text: string; replyTo: string; since: Date },
): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(
    `select exists (select from package_events where package_id = $1 and type = 'package.messaged' and at > $4
       and note = $2 and changes #>> '{replyTo,to}' = $3) as found`,
    [packageId, message.text, message.replyTo, message.since],
  );
  return row?.found === true;
}
