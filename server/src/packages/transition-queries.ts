import { withTheDriver } from '@waybill/contract';
import type { Attempt } from '../events/event-types.ts';
import type { Tx } from '../platform/database/db.ts';
import { notFound } from '../platform/errors.ts';
import { packageColumns, type PackageRow } from './row.ts';
import { packageUpdate } from './store.ts';

/** Without a driver, so that every driver can start it. */
const waitingAgain = {
  status: "'processing'",
  driver_id: 'null',
  started_at: 'null',
  estimated_delivery_at: 'null',
};

/** Unwraps an updated row. Callers hold the row lock, so it exists. */
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
    packageUpdate({
      where: 'id = $1',
      set: {
        status: "'in transit'",
        driver_id: '$2',
        started_at: '$3',
        estimated_delivery_at: '$4',
        updated_at: '$3',
        location: '$5',
        version: 'version + 1',
      },
    }),
    [id, driverId, times.startedAt, times.estimatedDeliveryAt, withTheDriver],
  );
  return required(row);
}

export async function setNext(tx: Tx, id: string, at: Date): Promise<PackageRow> {
  const [row] = await tx.query<PackageRow>(
    packageUpdate({
      where: 'id = $1',
      set: { status: "'out for delivery'", updated_at: '$2', version: 'version + 1' },
    }),
    [id, at],
  );
  return required(row);
}

export async function setLocation(tx: Tx, id: string, location: string, at: Date): Promise<PackageRow> {
  const [row] = await tx.query<PackageRow>(
    packageUpdate({ where: 'id = $1', set: { location: '$2', updated_at: '$3', version: 'version + 1' } }),
    [id, location, at],
  );
  return required(row);
}

/** Sets the location to the town only: the column is public. */
export async function setCompleted(tx: Tx, id: string, at: Date, receivedBy: string | null): Promise<PackageRow> {
  const [row] = await tx.query<PackageRow>(
    packageUpdate({
      where: 'id = $1',
      set: {
        status: "'delivered'",
        completed_at: '$2',
        updated_at: '$2',
        received_by: '$3',
        location: "address->>'city'",
        version: 'version + 1',
      },
    }),
    [id, at, receivedBy],
  );
  return required(row);
}

/**
 * Back to processing, so that every driver can claim it again. The attempt stays in the events.
 * @param location where the package is now; null keeps the last one, which is 'with the driver' unless the driver reported another
 */
export async function setFailed(tx: Tx, id: string, at: Date, location: string | null): Promise<PackageRow> {
  const [row] = await tx.query<PackageRow>(
    packageUpdate({
      where: 'id = $1',
      set: {
        ...waitingAgain,
        location: 'coalesce($3, location)',
        failed_at: '$2',
        updated_at: '$2',
        version: 'version + 1',
      },
    }),
    [id, at, location],
  );
  return required(row);
}

/** Locks and returns all packages that a driver has on the road. */
export const lockCarried = (tx: Tx, driverId: string) =>
  tx.query<PackageRow>(
    `select ${packageColumns} from packages where driver_id = $1 and status in ('in transit', 'out for delivery')
     order by id for update`,
    [driverId],
  );

/** Back to processing without counting an attempt, as if never started. */
export async function setReleased(tx: Tx, id: string, at: Date): Promise<PackageRow> {
  const [row] = await tx.query<PackageRow>(
    packageUpdate({ where: 'id = $1', set: { ...waitingAgain, updated_at: '$2', version: 'version + 1' } }),
    [id, at],
  );
  return required(row);
}

/**
 * Records how the present attempt ended, with its due time as of now: the end of the window, else the end of the eta's day in the
 * organisation's zone, else the estimated time.
 * @param pkg the locked package before the attempt ended; the lock keeps attempt numbers unique
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
