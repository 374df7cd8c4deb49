import pg from 'pg';
import { sumStaleDays } from '../server/src/stats/attempt-sums.ts';
import { migrate } from '../server/src/platform/database/migrate.ts';
import { createPartitions } from '../server/src/platform/database/partitions.ts';
import type { Tx } from '../server/src/platform/database/db.ts';
import { withoutReference } from '../server/src/packages/store.ts';
import { recountWaiting } from '../server/src/packages/waiting-counts.ts';
import { storeStaleViews } from '../server/src/packages/stored-views.ts';
import { hashPassword } from '../server/src/platform/auth/passwords.ts';

/** The password of all accounts, so that the benches can sign in over the API. */
export const password = 'bench-password';

/** Accounts with a known number of packages: a tenth of the table (where it has more than one owner), and 1,000. */
export const largeOwner = 'owner1@example.com';
export const smallOwner = 'owner2@example.com';
export const administrator = 'admin1@example.com';
export const driverEmail = (number: number) => `driver${number}@example.com`;

const owners = 1_000;
const drivers = 200;
/** At least so many packages for each driver who has any: fewer drivers have those of a small table. */
const packagesOfDriver = 100;
const packagesOfSmallOwner = 1_000;

/** A name that only two packages have, one of each of these two owners. */
export const rareName = 'Antique Theodolite';

/** Fills an empty database with a year of packages, in the partitions of their months: old ones mostly delivered, new ones mostly under way. */
export async function seed(connection: pg.ClientConfig, packages: number): Promise<void> {
  await migrate(connection, () => {});
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await createPartitions(asTx(client), new Date(), 12);
    // Triggers, foreign key checks and durability are off for speed: after a crash the seeding starts over.
    await client.query(
      "set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB'",
    );
    await client.query('select setseed(0.42)');
    await insertUsers(client);
    const indexes = await dropIndexes(client);
    await client.query(insertPackages, [packages, Math.max(1, packages / packagesOfSmallOwner)]);
    await client.query(
      'insert into package_search select owner_id, id, package_search_text(packages), phone_digits(recipient_contact) from packages',
    );
    await client.query(
      `insert into package_references select owner_id, reference, id from packages
       where reference is not null and status not in ${withoutReference} order by owner_id, reference`,
    );
    await client.query(insertAttempts, [Math.min(drivers, Math.max(1, Math.floor(packages / packagesOfDriver)))]);
    await client.query(insertIncidents);
    await client.query("select setval('incident_numbers', max(number)) from incidents");
    await client.query(insertEvents);
    await client.query(insertNotifications);
    await client.query(insertDeliveries);
    await client.query(insertMessages);
    await client.query(insertShifts, [Math.min(360, packages / 50)]);
    await client.query(insertImports, [Math.max(30, packages / 500)]);
    await client.query(insertContactMessages, [Math.max(30, packages / 1_000)]);
    await client.query('select recount_figures()');
    await client.query('select recount_inventory()');
    await recountWaiting(client);
    await client.query('insert into owner_counts select owner_id, status, count(*) from packages group by 1, 2');
    for (const index of indexes) await client.query(index);
    await insertViews(client);
    await insertAttemptSums(client);
    await client.query('vacuum analyze');
    // Else the server writes all of it in the next minutes, beside what is measured.
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** Stores the public views as the server does with stale ones. */
async function insertViews(client: pg.Client): Promise<void> {
  await client.query(
    'insert into public_views (tracking_id, package_id, stale) select tracking_id, id, true from packages order by id',
  );
  await client.query('analyze packages, package_events, public_views');
  await storeStaleViews({ transaction: (work) => work(asTx(client)) });
}

/** Sums the attempts of each day as a server does that has run for a while. */
async function insertAttemptSums(client: pg.Client): Promise<void> {
  await client.query('analyze delivery_attempts');
  await client.query(
    "insert into attempt_sums_stale select distinct day, now() - interval '1 hour' from delivery_attempts",
  );
  while ((await sumStaleDays(asTx(client))) > 0);
}

const asTx = (client: pg.Client) =>
  ({ query: async (sql: string, values: unknown[]) => (await client.query(sql, values)).rows }) as unknown as Tx;

async function insertUsers(client: pg.Client): Promise<void> {
  const passwordHash = await hashPassword(password);
  for (const [role, count] of Object.entries({ owner: owners, driver: drivers, admin: 1 })) {
    await client.query(
      `insert into users (id, name, email, password_hash, role, status)
       select uuidv7(), initcap($1) || ' ' || i, $1 || i || '@example.com', $2, $1, 'active' from generate_series(1, $3::int) i`,
      [role, passwordHash, count],
    );
  }
}

/**
 * Drops indexes, since building them after the inserts is much faster. Indexes of partitions are dropped with that of the table.
 * @returns the statements that create them again
 */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition
     from pg_index
     where (indrelid in ('packages'::regclass, 'package_events'::regclass, 'package_search'::regclass)
         or indrelid in (select inhrelid from pg_inherits where inhparent = 'package_search'::regclass))
       and not exists (select from pg_inherits where inhrelid = indexrelid)
       and not exists (select from pg_constraint where conindid = indexrelid)`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  // For a partitioned table: create the index on the partitions too.
  return rows.map((row) => row.definition.replace(' ON ONLY ', ' ON '));
}

/** Scattered and unique: the multiplier is coprime to 36^8. */
const trackingId = `'PKG-' || ${Array.from({ length: 8 }, (_, place) => `substr('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', 1 + (i * 1711276033181 % 2821109907456 / ${36 ** place} % 36)::int, 1)`).join(' || ')}`;

/**
 * Inserts $1 packages in the order of their ids, as in production; every $2th package belongs to the small owner. The first attempt of one of
 * 23 failed, if all that came after it is past: most of them were delivered by a second one, some wait for it, and the cancelled ones went back to
 * their owners.
 */
const insertPackages = `
  with words as (select
    array['Blue','Heavy','Small','Old','Green','Fragile','Printed','Wooden','Spare','Winter','Signed','Folding','Steel','Striped','Quiet','Large'] as adjectives,
    array['Kettle','Bicycle Wheel','Atlas','Coffee Beans','Lamp','Chess Set','Contract','Overcoat','Drill','Violin Strings','Tent','Vaccines',
          'Camera','Armchair','Notebook','Puzzle','Router','Boots','Teapot','Spare Part','Keyboard','Blanket','Guitar','Batteries'] as things,
    array['Electronics','Clothing','Books','Furniture','Food','Toys','Documents','Medical','Other'] as categories,
    array['Anna','Ben','Carla','David','Elif','Farid','Greta','Hugo','Ines','Jonas','Kemal','Lena','Marta','Noah','Olga','Paul','Quentin','Rosa',
          'Samir','Tara','Ugo','Vera','Wanda','Xavier','Yara','Zoe','Amir','Bruna','Chen','Dora','Emil','Fatou','Goran','Hana','Igor','Jana'] as first_names,
    array['Schmidt','Rossi','Novak','Silva','Kaya','Dubois','Larsen','Horvat','Garcia','Weber','Moreau','Jensen','Kowalski','Popescu','Okafor',
          'Nguyen','Tanaka','Haddad','Murphy','Lindqvist','Bauer','Costa','Petrov','Ferrari','Meyer','Santos','Demir','Olsen'] as last_names,
    array['Berlin','Lyon','Porto','Krakow','Vienna','Ghent','Turin','Malmo','Graz','Leeds','Basel','Cork'] as cities,
    array[13.41,4.84,-8.61,19.94,16.37,3.72,7.68,13.0,15.44,-1.55,7.59,-8.47] as city_lons,
    array[52.5,45.76,41.15,50.06,48.21,51.05,45.07,55.6,47.07,53.8,47.56,51.9] as city_lats,
    (select array_agg(id order by id) from users where role = 'owner') as owners,
    (select array_agg(id order by id) from users where role = 'driver') as drivers
  ), drawn as materialized (
    select i, uuidv7(make_interval(secs => -31.5e6 / $1::int * ($1 - i + 1))) as id, i::float8 / $1 as age,
           random() as fate, random() as a, random() as b, random() as c, random() as d, random() as e
    from generate_series(1, $1) i
  ), dated as (
    select *, uuid_extract_timestamp(id) as created_at,
      case when fate < 0.03 then 'cancelled' when fate < 0.06 then 'inactive'
           when age < 0.93 then case when fate < 0.985 then 'delivered' else 'processing' end
           when fate < 0.40 then 'delivered' when fate < 0.62 then 'in transit' when fate < 0.70 then 'out for delivery'
           else 'processing' end as status
    from drawn
  ), tried as (
    select *, status <> 'inactive' and is_tried as failed, status = 'cancelled' and is_tried as returned,
      status in ('in transit', 'out for delivery', 'delivered') or (status = 'cancelled' and is_tried) as driven
    from (select *, i % 23 = 11 and created_at < now() - interval '9 hours' as is_tried from dated) dated
  )
  insert into packages (id, owner_id, tracking_id, reference, name, description, category, weight, dimensions_cm, recipient_name, recipient_contact, recipient_phone,
    address_street, address_postal_code, address_city, place_lon, place_lat, place_accuracy, place_source, hide_recipient, show_sender, status, location, eta, driver_id, started_at, estimated_delivery_at, completed_at,
    failed_at, next_step, next_day, return_due, returned_at, rating_stars, rated_at, created_at, updated_at, version)
  select id,
    owners[case when i % $2::int = 0 then 2 when i % 10 = 1 then 1 else 3 + floor(a * b * ${owners - 2})::int end],
    ${trackingId}, '#' || (1000000 + i),
    case when i in ($1 / 2, $1 / 2 + 1) then '${rareName}' else adjectives[1 + floor(b * 16)::int] || ' ' || things[1 + floor(c * 24)::int] end,
    'Handed in at the counter, number ' || i || ', to be delivered on a weekday', categories[1 + floor(d * 9)::int], round((a * 20 + 0.1)::numeric, 1),
    case when b < 0.5 then '{"width": 20, "height": 15, "length": 30}'::jsonb end,
    first_names[1 + floor(d * 36)::int] || ' ' || last_names[1 + floor(e * 28)::int], '+4930' || (1000000 + i), '+4930' || (1000000 + i),
    'Long Street ' || (i % 200), '10115', cities[1 + floor(e * 12)::int],
    city_lons[1 + floor(e * 12)::int] + (a - 0.5) * 0.2, city_lats[1 + floor(e * 12)::int] + (b - 0.5) * 0.12, 'rooftop', 'gazetteer', e < 0.05, d > 0.9,
    status, case when status in ('in transit', 'out for delivery') then 'With the driver' when status = 'delivered'
      then cities[1 + floor(e * 12)::int] when not returned then cities[1 + floor(a * 12)::int] end, (created_at + interval '3 days')::date,
    case when driven then drivers[1 + floor(c * least(${drivers}, greatest(1, $1::int / ${packagesOfDriver})))::int] end,
    case when driven then created_at + interval '5 hours' end,
    case when driven and not returned then created_at + interval '11 hours' end,
    case when status = 'delivered' then created_at + interval '9 hours' end,
    case when failed then created_at + interval '3 hours' end,
    case when returned then 'return' when failed and status = 'processing' then 'again' end,
    case when failed and status = 'processing' then current_date + 1 end,
    returned, case when returned then created_at + interval '9 hours' end,
    case when status = 'delivered' and i % 7 = 3 then 1 + i % 5 end, case when status = 'delivered' and i % 7 = 3 then created_at + interval '10 hours' end,
    created_at, created_at + case when status = 'delivered' or returned then interval '9 hours' when status <> 'processing' then interval '5 hours'
      when failed then interval '3 hours' else interval '0' end,
    case status when 'processing' then 1 when 'delivered' then 3 else 2 end + case when returned then 4 when failed then 2 else 0 end
  from tried, words order by i`;

const failure = 'Nobody there';
const endOfEta = `(eta + 1)::timestamp at time zone 'UTC' - interval '1 millisecond'`;

/**
 * Inserts the attempts of packages: the failed ones, those that wait again by any of the first $1 drivers, and the completed ones. One of 32
 * of these is late, so that a month of the small table has a late one.
 */
const insertAttempts = `
  insert into delivery_attempts (package_id, number, driver_id, owner_id, town, day, started_at, ended_at, outcome, reason, card_left, eta, estimated_delivery_at, due_at)
  select id, 1, coalesce(driver_id, (select array_agg(id order by id) from users where role = 'driver')[1 + row_number() over (order by id) % $1::int]),
    owner_id, address_city, (failed_at at time zone 'UTC')::date, created_at + interval '1 hour', failed_at as ended_at, 'failed', '${failure}', true,
    eta, created_at + interval '7 hours', ${endOfEta}
  from packages where failed_at is not null
  union all
  select id, case when failed_at is null then 1 else 2 end, driver_id,
    owner_id, address_city, (completed_at at time zone 'UTC')::date, started_at, completed_at, 'completed', null, null,
    eta, estimated_delivery_at, case when row_number() over (order by completed_at desc) % 32 = 5 then completed_at - interval '1 hour' else ${endOfEta} end
  from packages where status = 'delivered'
  order by ended_at`;

/** One of 25 packages that were driven has an incident; one of three of these is open. */
const insertIncidents = `
  insert into incidents (id, number, package_id, reporter_id, type, description, status, location, created_at, updated_at)
  select uuidv7(started_at - now()), n / 25, id, driver_id, 'Damage', 'A corner is dented', case when n % 75 = 0 then 'Open' else 'Resolved' end,
    'On the road', started_at + interval '1 hour', started_at + interval '2 hours'
  from (select *, row_number() over (order by id) as n from packages where driver_id is not null) driven where n % 25 = 0
  order by n`;

/** SQL: whether the first driver of a package gave it back, after ten minutes. */
const wasReleased = 'p.driver_id is not null and hashtext(p.tracking_id) % 50 = 0';

/**
 * Inserts the events of each package, up to its status: its creation, the start and end of each attempt, its incident, its return, and its
 * rating.
 */
const insertEvents = `
  insert into package_events (type, at, actor_id, package_id, status, location, note, owner_id, driver_id, previous_driver_id, incident_number)
  select step.type, p.created_at + step.after, coalesce(step.actor, p.owner_id), p.id, step.status, p.location, step.note, p.owner_id,
    case when step.type not in ('delivery.failed', 'delivery.released') then step.actor end,
    case when step.type in ('delivery.failed', 'delivery.released') then step.actor end,
    case when step.type in ('issue.reported', 'incident.resolved') then incident.number end
  from packages p left join delivery_attempts failed on failed.package_id = p.id and failed.outcome = 'failed'
    left join incidents incident on incident.package_id = p.id cross join lateral (
    values ('package.created', interval '0', null::uuid, 'processing', null, true),
      ('delivery.started', interval '1 hour', failed.driver_id, 'in transit', null, p.failed_at is not null),
      ('delivery.failed', interval '3 hours', failed.driver_id, 'processing', '${failure}', p.failed_at is not null),
      ('package.next-step', interval '4 hours', null, 'processing', 'Back to the sender', p.return_due),
      ('delivery.started', interval '250 minutes', p.driver_id, 'in transit', null, ${wasReleased}),
      ('delivery.released', interval '260 minutes', p.driver_id, 'processing', null, ${wasReleased}),
      ('delivery.started', interval '5 hours', p.driver_id, 'in transit', null, p.driver_id is not null),
      ('issue.reported', interval '6 hours', incident.reporter_id, 'in transit', null, incident.number is not null),
      ('incident.resolved', interval '7 hours', null, 'in transit', null, incident.status = 'Resolved'),
      ('delivery.completed', interval '9 hours', p.driver_id, 'delivered', null, p.status = 'delivered'),
      ('package.returned', interval '9 hours', p.driver_id, 'cancelled', null, p.return_due),
      ('package.rated', interval '10 hours', null, 'delivered', null, p.rated_at is not null),
      ('package.cancelled', interval '5 hours', null, 'cancelled', null, p.status in ('cancelled', 'inactive') and not p.return_due),
      ('package.deleted', interval '6 hours', null, 'inactive', null, p.status = 'inactive')
  ) as step (type, after, actor, status, note, happened) where step.happened
  order by p.id, step.after`;

/** Owners were told of each delivery. They have read two of three of these, which are kept for 180 days after that. */
const insertNotifications = `
  insert into notifications (id, user_id, event_id, package_id, tracking_id, type, title, body, created_at, read_at)
  select uuidv7(at - now()), owner_id, event_id, package_id, tracking_id, type, 'Package delivered', name || ' has been delivered.', at,
    case when is_read then at + interval '1 hour' end
  from (
    select e.id as event_id, e.type, e.at, e.owner_id, e.package_id, p.tracking_id, p.name, e.id % 3 <> 0 as is_read
    from package_events e join packages p on p.id = e.package_id where e.type = 'delivery.completed'
  ) told
  where not is_read or at > now() - interval '175 days' order by at`;

const insertDeliveries = `
  insert into notification_deliveries (id, channel, event_id, type, at, package_id, tracking_id, user_id, notification_id, state, attempts)
  select id, 'in-app', event_id, type, created_at, package_id, tracking_id, user_id, id, 'delivered', 1 from notifications order by created_at`;

/** E-mails to recipients, of two months. */
const insertMessages = `
  insert into messages (id, at, channel, event_id, type, audience, parameters, package_id, tracking_id, address, language, state, attempts, ends_at)
  select uuidv7(e.at - now()), e.at, 'email', e.id, e.type, 'recipient', '{}', e.package_id, p.tracking_id, 'anna@example.com', 'en', 'sent', 1,
    e.at + interval '7 days'
  from package_events e join packages p on p.id = e.package_id where e.type = 'delivery.completed' and e.at > now() - interval '60 days' order by e.at`;

/** The working days of all drivers, $1 days back and a week ahead. */
const insertShifts = `
  insert into shifts (id, driver_id, starts_at, ends_at, created_at, updated_at)
  select uuidv7(day - interval '7 days' - now()), driver.id, day + interval '8 hours', day + interval '16 hours', day - interval '7 days', day - interval '7 days'
  from generate_series(date_trunc('day', now()) - make_interval(days => $1::int), date_trunc('day', now()) + interval '7 days', interval '1 day') day
    cross join (select id from users where role = 'driver') driver
  where extract(isodow from day) < 6 order by day`;

/** $1 imports of each of the two owners with a known number of packages, one each half hour. */
const insertImports = `
  insert into package_imports (id, owner_id, file_hash, total, done, created, created_at, started_at, finished_at)
  select uuidv7(at - now()), owner.id, sha256(n::text::bytea), 10, 10, 10, at, at, at + interval '1 second'
  from generate_series(1, $1::int) n cross join lateral (select now() - ($1::int - n) * interval '30 minutes' as at) import
    cross join (select id from users where role = 'owner' order by id limit 2) owner
  order by n`;

/** $1 messages to the carrier, every second one answered. */
const insertContactMessages = `
  insert into contact_messages (name, email, message, digest, status, created_at, resolved_at)
  select 'Anna Berg', 'anna@example.com', 'Where is my package number ' || n || '?', sha256(n::text::bytea),
    case when n % 2 = 0 then 'Resolved' else 'Open' end, at, case when n % 2 = 0 then at + interval '1 hour' end
  from generate_series(1, $1::int) n cross join lateral (select now() - ($1::int - n) * interval '1 hour' - interval '2 hours' as at) message
  order by n`;
