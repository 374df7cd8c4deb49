import { withTheDriver } from '@waybill/contract';
import type { Attempt } from '../events/event-types.ts';
import type { Tx } from '../platform/database/db.ts';
import { notFound } from '../platform/errors.ts';
import { packageColumns, type PackageRow } from './row.ts';

/** Whoever changes a row has locked it, so it is there. */
function required(row: PackageRow | undefined): PackageRow {
  if (!row) throw notFound('delivery');
  return row;
}

export async function setStarted(
  tx: Tx,
  id: string,
  driverId: string,
  times: { startedAt: Date; estimatedDeliveryAt: Date },
): Promise<PackageRow> {
  const [row] = await tx.query<PackageRow>(
    `update packages set status = 'in transit', driver_id = $2, started_at = $3, estimated_delivery_at = $4, updated_at = $3,
       location = $5, version = version + 1
     where id = $1 returning ${packageColumns}`,
    [id, driverId, times.startedAt, times.estimatedDeliveryAt, withTheDriver],
  );
  return required(row);
}

export async function setNext(tx: Tx, id: string, at: Date): Promise<PackageRow> {
  const [row] = await tx.query<PackageRow>(
    `update packages set status = 'out for delivery', updated_at = $2, version = version + 1
     where id = $1 returning ${packageColumns}`,
    [id, at],
  );
  return required(row);
}

export async function setLocation(tx: Tx, id: string, location: string, at: Date): Promise<PackageRow> {
  const [row] = await tx.query<PackageRow>(
    `update packages set location = $2, updated_at = $3, version = version + 1 where id = $1 returning ${packageColumns}`,
    [id, location, at],
  );
  return required(row);
}

/** The town is all that everybody may know of where it went. */
export async function setCompleted(tx: Tx, id: string, at: Date, receivedBy: string | null): Promise<PackageRow> {
  const [row] = await tx.query<PackageRow>(
    `update packages set status = 'delivered', completed_at = $2, updated_at = $2, received_by = $3,
       location = address->>'city', version = version + 1
     where id = $1 returning ${packageColumns}`,
    [id, at, receivedBy],
  );
  return required(row);
}

/**
 * Back to processing: for everybody to claim, as if never started. The attempt stays in the events.
 * @param location where it is now; null: where it was, which is still with the driver unless that was reported otherwise
 */
export async function setFailed(tx: Tx, id: string, at: Date, location: string | null): Promise<PackageRow> {
  const [row] = await tx.query<PackageRow>(
    `update packages set status = 'processing', driver_id = null, started_at = null, estimated_delivery_at = null,
       location = coalesce($3, location), failed_at = $2, updated_at = $2, version = version + 1
     where id = $1 returning ${packageColumns}`,
    [id, at, location],
  );
  return required(row);
}

/** What a driver has on the road, locked. */
export const lockCarried = (tx: Tx, driverId: string) =>
  tx.query<PackageRow>(
    `select ${packageColumns} from packages where driver_id = $1 and status in ('in transit', 'out for delivery')
     order by id for update`,
    [driverId],
  );

/** Back to processing without an attempt: as if never started. */
export async function setReleased(tx: Tx, id: string, at: Date): Promise<PackageRow> {
  const [row] = await tx.query<PackageRow>(
    `update packages set status = 'processing', driver_id = null, started_at = null, estimated_delivery_at = null,
       updated_at = $2, version = version + 1
     where id = $1 returning ${packageColumns}`,
    [id, at],
  );
  return required(row);
}

/**
 * Writes down how the present attempt ended, and what it is judged by as it is now: on time is by the end of the window, without one by
 * the end of the eta's day where the organisation is, without either by the estimated time.
 * @param pkg the package before it ended, locked: nobody else counts its attempts meanwhile
 */
export async function insertAttempt(
  tx: Tx,
  pkg: PackageRow,
  outcome: 'completed' | 'failed',
  { endedAt, timeZone }: { endedAt: Date; timeZone: string },
): Promise<Attempt> {
  const [row] = await tx.query<Attempt>(
    `insert into delivery_attempts
       (number, package_id, driver_id, started_at, ended_at, outcome, eta, estimated_delivery_at, due_at)
     select 1 + count(*), $1, $2, $3, $4, $5, $6, $7,
       coalesce($8::timestamptz, ($6::date + 1)::timestamp at time zone $9 - interval '1 millisecond', $7::timestamptz)
     from delivery_attempts where package_id = $1
     returning number, started_at as "startedAt", ended_at as "endedAt", due_at as "dueAt"`,
    [
      pkg.id,
      pkg.driver_id,
      pkg.started_at,
      endedAt,
      outcome,
      pkg.eta,
      pkg.estimated_delivery_at,
      pkg.window_to,
      timeZone,
    ],
  );
  if (!row) throw new Error('the attempt was not written');
  return row;
}
