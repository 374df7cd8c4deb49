import type { DeliverySummary, DriverInfo } from '@waybill/contract';
import { imageUrl } from '../images/names.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';

/** Counts a driver's own deliveries. */
export async function countDeliveries(db: Queryable, driverId: string): Promise<Omit<DeliverySummary, 'pending'>> {
  const [row] = await db.query<Record<'completed' | 'active', string>>(
    `select count(*) filter (where status = 'delivered') as completed,
            count(*) filter (where status in ('in transit', 'out for delivery')) as active
     from packages where driver_id = $1`,
    [driverId],
  );
  const active = Number(row?.active ?? 0);
  const completed = Number(row?.completed ?? 0);
  return { mine: active + completed, completed, active };
}

interface DriverRow {
  id: string;
  name: string;
  email: string;
  phone: string | null;
  profile_picture: string | null;
  status: string;
  created_at: Date;
  years_of_experience: number | null;
  vehicle_type: string | null;
  vehicle_model: string | null;
  vehicle_license_plate: string | null;
  current_location: string | null;
}

export interface Proof {
  note: string | null;
  /** Storage paths. */
  photo: string | null;
  signature: string | null;
  pin: 'given' | 'waived' | null;
  age_checked: number | null;
}

type NewProof = Omit<Proof, 'age_checked'> & { packageId: string; ageChecked: number | null };

export async function insertProofs(tx: Tx, proofs: NewProof[]): Promise<void> {
  if (proofs.length === 0) return;
  await tx.query(
    `insert into proofs (package_id, note, photo, signature, pin, age_checked)
     select "packageId", note, photo, signature, pin, "ageChecked"
     from json_to_recordset($1) as given ("packageId" uuid, note text, photo text, signature text, pin text, "ageChecked" smallint)`,
    [JSON.stringify(proofs)],
  );
}

type VoidProof = Pick<Proof, 'note' | 'photo' | 'signature'>;

/** Removes the proof of a delivery that is reopened. @returns it */
export async function deleteProof(tx: Tx, packageId: string): Promise<VoidProof | null> {
  const [proof] = await tx.query<VoidProof>(
    'delete from proofs where package_id = $1 returning note, photo, signature',
    [packageId],
  );
  return proof ?? null;
}

interface ProofRow extends Proof {
  sender: string | null;
  driver: string | null;
  failures: string;
  /** Null for deliveries from before due times were recorded. */
  due_at: Date | null;
}

/** Reads what a receipt shows besides the package: the proof, sender and driver, and the number of failed attempts. */
export async function findProof(db: Queryable, packageId: string): Promise<ProofRow | null> {
  const [row] = await db.query<ProofRow>(
    `select r.note, r.photo, r.signature, r.pin, r.age_checked, o.name as sender, d.name as driver,
            (select count(*) from delivery_attempts where package_id = p.id and outcome = 'failed') as failures,
            (select due_at from delivery_attempts where package_id = p.id and outcome = 'completed') as due_at
     from packages p join users o on o.id = p.owner_id left join users d on d.id = p.driver_id
     join proofs r on r.package_id = p.id where p.id = $1`,
    [packageId],
  );
  return row ?? null;
}

/** Reads a driver's profile as others see it. Average and total are computed from the deliveries, since counters can drift. */
export async function findDriver(
  db: Queryable,
  id: string,
  estimatedDeliveryTime: string | null,
): Promise<DriverInfo | null> {
  const [[row], [done]] = await Promise.all([
    db.query<DriverRow>(
      `select id, name, email, phone, profile_picture, status, created_at, years_of_experience, vehicle_type, vehicle_model,
              vehicle_license_plate, current_location
       from users where id = $1 and deleted_at is null`,
      [id],
    ),
    db.query<{ total: string; rating: string | null; busy: boolean }>(
      `select total, rating, busy
       from (select count(*) as total from packages where driver_id = $1 and status = 'delivered') delivered,
            (select round(avg(coalesce(recipient_stars, rating_stars)), 1) as rating from packages
             where driver_id = $1 and coalesce(recipient_stars, rating_stars) is not null) rated,
            (select count(*) > 0 as busy from packages where driver_id = $1 and status in ('in transit', 'out for delivery')) carried`,
      [id],
    ),
  ]);
  if (!row || !done) return null;
  const vehicle = row.vehicle_type ?? row.vehicle_model ?? row.vehicle_license_plate;
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    profilePicture: row.profile_picture && imageUrl(row.profile_picture),
    status: row.status === 'active' ? (done.busy ? 'busy' : 'active') : 'unavailable',
    createdAt: row.created_at.toISOString(),
    rating: done.rating === null ? null : Number(done.rating),
    totalDeliveries: Number(done.total),
    yearsOfExperience: row.years_of_experience,
    vehicleInfo:
      vehicle === null
        ? null
        : { type: row.vehicle_type, model: row.vehicle_model, licensePlate: row.vehicle_license_plate },
    currentLocation: row.current_location,
    estimatedDeliveryTime,
  };
}

/** Whether the caller may see this driver: themselves, the driver of one of their packages, or any driver with `seesAll`. */
export async function canSeeDriver(
  db: Queryable,
  callerId: string,
  seesAll: boolean,
  driverId: string,
): Promise<boolean> {
  const rows = await db.query(
    `select id from users u
     where id = $1 and ((role = 'driver' and ($3 or id = $2))
       or exists (select from packages where driver_id = u.id and owner_id = $2))`,
    [driverId, callerId, seesAll],
  );
  return rows.length > 0;
}

/** Reads from the history what the instructions of these packages were before their last change on the road, by package id. */
export async function findPreviousInstructions(db: Queryable, packageIds: string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; before: string | null }>(
    `select distinct on (p.id) p.id, e.changes #>> '{instructions,from}' as before
     from packages p join package_events e on e.package_id = p.id and e.package_id = any($1)
     where p.id = any($1) and e.type = 'package.updated' and e.at >= p.started_at and e.changes ? 'instructions'
     order by p.id, e.id desc`,
    [packageIds],
  );
  return new Map(rows.flatMap(({ id, before }): [string, string][] => (before === null ? [] : [[id, before]])));
}

/** Counts a wrong PIN, once. Requires the row lock of the package. @returns how many different ones there were */
export async function insertWrongPin(tx: Tx, packageId: string, hash: string): Promise<number> {
  const [row] = await tx.query<{ tries: number }>(
    `insert into pin_checks as c (package_id, wrong) values ($1, array[$2::text])
     on conflict (package_id) do update
       set wrong = case when $2::text = any(c.wrong) then c.wrong else array_append(c.wrong, $2::text) end
     returning cardinality(wrong) as tries`,
    [packageId, hash],
  );
  return row?.tries ?? 0;
}

export async function resetWrongPins(tx: Tx, packageId: string): Promise<void> {
  await tx.query("update pin_checks set wrong = '{}' where package_id = $1", [packageId]);
}

export async function waivePin(tx: Tx, packageId: string): Promise<void> {
  await tx.query(
    `insert into pin_checks (package_id, waived) values ($1, true)
     on conflict (package_id) do update set waived = true, wrong = '{}'`,
    [packageId],
  );
}
