import { figureColumns } from '../events/figures.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { withoutReference } from './store.ts';
import {
  addToWaitingSums,
  keyOfWaitingSums,
  sumsOfWaiting,
  waitingPackages,
  waitingSums,
  type WaitingSums,
} from './waiting-counts.ts';
import { currentViews, storeViews } from './stored-views.ts';

/** Packages per transaction. */
const batchSize = 500;

/**
 * Writes what is derived from packages anew: search texts, public views, the directory of references, counts and figures. Writers wait for one batch at most.
 * @param transaction runs a transaction without a time-out
 * @returns how many of each were wrong
 */
export async function rebuild(
  transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  onProgress: (done: number, total: number) => void,
): Promise<{ searchTexts: number; publicViews: number; references: number; counts: number; figures: number }> {
  const wrong = { searchTexts: 0, publicViews: 0, references: 0, counts: 0, figures: 0 };
  const total = await transaction(countPackages);
  let done = 0;
  for (let after: string | undefined = '00000000-0000-0000-0000-000000000000'; after !== undefined;) {
    const from: string = after;
    const ids = await transaction(async (tx) => {
      // The rows first: the statements after this one see whatever changed them before.
      const rows = await tx.query<{ id: string }>(
        `select id from packages where id > $1 order by id limit ${batchSize} for no key update`,
        [from],
      );
      const batch = rows.map(({ id }) => id);
      wrong.searchTexts += (await tx.query(repairSearchTexts, [batch])).length;
      wrong.publicViews += await count(tx, wrongViews, [batch]);
      await tx.query(deleteForeignViews, [batch]);
      await storeViews(tx, batch);
      return batch;
    });
    done += ids.length;
    onProgress(done, Math.max(done, total));
    after = ids.length === batchSize ? ids.at(-1) : undefined;
  }
  await transaction(async (tx) => {
    for (const statement of [deleteStaleReferences, addMissingReferences])
      wrong.references += (await tx.query(statement)).length;
  });
  await transaction(async (tx) => {
    for (const statement of [repairInventory, repairOwnerCounts, ...waitingSums.map(repairWaiting)])
      wrong.counts += (await tx.query(statement)).length;
  });
  await transaction(async (tx) => (wrong.figures = (await tx.query(repairFigures)).length));
  return wrong;
}

async function count(db: Queryable, sql: string, params: unknown[]): Promise<number> {
  const [row] = await db.query<{ total: string }>(`select count(*) as total from (${sql}) counted`, params);
  return Number(row?.total ?? 0);
}

/** An estimate. */
async function countPackages(db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    "select greatest(reltuples, 0)::float8 as total from pg_class where oid = 'packages'::regclass",
  );
  return row?.total ?? 0;
}

const currentTexts = `select owner_id, id as package_id, package_search_text(p) as text, phone_digits(recipient_contact) as phone
  from packages p where id = any($1)`;

const repairSearchTexts = `
  insert into package_search as kept (owner_id, package_id, text, phone) ${currentTexts}
  on conflict (owner_id, package_id) do update set text = excluded.text, phone = excluded.phone
  where (kept.text, kept.phone) is distinct from (excluded.text, excluded.phone)
  returning package_id`;

const wrongTexts = `select from (${currentTexts}) fresh left join package_search kept using (owner_id, package_id)
  where (kept.text, kept.phone) is distinct from (fresh.text, fresh.phone)`;

/** A stale view is composed when it is read, so it is not wrong. */
const wrongViews = `select from (${currentViews}) fresh left join public_views kept using (tracking_id)
  where kept.stale is not true and (kept.package_id, kept.view, kept.sender_id, kept.driver_id, kept.route_id, kept.completed_at)
    is distinct from (fresh.package_id, fresh.view, fresh.sender_id, fresh.driver_id, fresh.route_id, fresh.completed_at)`;

/** Views that have the tracking ID of one of the packages $1 and belong to another package. */
const deleteForeignViews = `
  delete from public_views v using packages p where p.id = any($1) and v.tracking_id = p.tracking_id and v.package_id <> p.id`;

const hasReference = `p.reference is not null and p.status not in ${withoutReference}`;

const wrongReferences = `
  select from packages p left join package_references kept using (owner_id, reference)
  where p.id = any($1) and ${hasReference} and kept.package_id is distinct from p.id`;

const hasNoPackage = `not exists (
    select from packages p
    where p.id = kept.package_id and p.owner_id = kept.owner_id and p.reference = kept.reference and ${hasReference}
  )`;
const staleReferences = `select from package_references kept where kept.owner_id = any($1) and ${hasNoPackage}`;
const deleteStaleReferences = `delete from package_references kept where ${hasNoPackage} returning package_id`;

const addMissingReferences = `
  insert into package_references (owner_id, reference, package_id)
  select owner_id, reference, id from packages p
  where ${hasReference} and not exists (
    select from package_references kept where kept.owner_id = p.owner_id and kept.reference = p.reference
  ) on conflict do nothing returning package_id`;

/**
 * The difference between a count and its packages is appended as one more change. One statement, so one snapshot, in which both are as the same
 * transactions left them: nobody is waited for.
 */
const repairInventory = `
  insert into inventory_changes (location, status, packages)
  select location, status, sum(packages) from (
    select coalesce(btrim(location), '') as location, status, count(*) as packages from packages group by 1, 2
    union all select location, status, -packages from inventory
    union all select location, status, -packages from inventory_changes
  ) counted group by 1, 2 having sum(packages) <> 0 returning status`;

const repairOwnerCounts = `
  insert into owner_count_changes (owner_id, status, packages)
  select owner_id, status, sum(packages) from (
    select owner_id, status, count(*) as packages from packages group by 1, 2
    union all select owner_id, status, -packages from owner_counts
    union all select owner_id, status, -packages from owner_count_changes
  ) counted group by 1, 2 having sum(packages) <> 0 returning status`;

/** What packages have more than `table` and the changes that it does not have yet. */
const wrongWaiting = (table: WaitingSums): string => {
  const key = keyOfWaitingSums(table);
  return `
  select ${key}, sum(packages), sum(kilograms) from (
    ${sumsOfWaiting(table, waitingPackages)}
    union all select ${key}, -packages, -kilograms from ${table}
    union all select ${key}, -packages, -kilograms from (${sumsOfWaiting(table, 'waiting_changes')}) changed (${key}, packages, kilograms)
  ) counted (${key}, packages, kilograms) group by ${key} having sum(packages) <> 0 or sum(kilograms) <> 0`;
};

async function countWrongWaiting(db: Queryable): Promise<number> {
  let wrong = 0;
  for (const table of waitingSums) wrong += await count(db, wrongWaiting(table), []);
  return wrong;
}

/** Added to the table itself: a change would be added to all of them. */
const repairWaiting = (table: WaitingSums): string => `${addToWaitingSums(table, wrongWaiting(table))} returning city`;

const figures = figureColumns.join(', ');
const minusFigures = figureColumns.map((column) => `-${column}`).join(', ');

/** The same for the figures of each quarter of an hour. */
const wrongFigures = `
  select at, ${figureColumns.map((column) => `sum(${column})`).join(', ')} from (
    select at, ${figures} from recounted_figures()
    union all select at, ${minusFigures} from figures
    union all select date_bin('15 minutes', at, 'epoch'), ${minusFigures} from figure_changes
  ) counted group by at having ${figureColumns.map((column) => `sum(${column}) <> 0`).join(' or ')}`;

const repairFigures = `insert into figure_changes (at, ${figures}) ${wrongFigures} returning at`;

const wrongOwnerCounts = `select owner_id, status from (
    select owner_id, status, count(*) as packages from packages where owner_id = any($1) group by 1, 2
    union all select owner_id, status, -packages from owner_counts where owner_id = any($1)
    union all select owner_id, status, -packages from owner_count_changes where owner_id = any($1)
  ) counted group by 1, 2 having sum(packages) <> 0`;

const wrongPlaceCounts = `select location, status from (
    select coalesce(btrim(location), '') as location, status, count(*) as packages from packages
      where lower(coalesce(btrim(location), '')) = any($1) group by 1, 2
    union all select location, status, -packages from inventory where lower(location) = any($1)
    union all select location, status, -packages from inventory_changes where lower(location) = any($1)
  ) counted group by 1, 2 having sum(packages) <> 0`;

/** Packages that `checkSample` recounts, and owners and places whose packages it counts. */
const sampleSize = 200;
const sampledOwners = 10;
const sampledPlaces = 3;

/** Recounts what is derived from a random sample of packages. @returns how many of each are wrong, and the size of the sample */
export async function checkSample(
  db: Queryable,
): Promise<{ size: number; wrong: { searchTexts: number; publicViews: number; references: number; counts: number } }> {
  const rows = await db.query<{ id: string; owner_id: string; place: string }>(
    `select id, owner_id, lower(coalesce(btrim(location), '')) as place from packages tablesample system ((
       select least(100, 100 * ${sampleSize * 20} / greatest(reltuples, 1)) from pg_class where oid = 'packages'::regclass))
     order by random() limit ${sampleSize}`,
  );
  const ids = rows.map(({ id }) => id);
  const owners = [...new Set(rows.map((row) => row.owner_id))].slice(0, sampledOwners);
  const places = [...new Set(rows.map(({ place }) => place))].slice(0, sampledPlaces);
  return {
    size: ids.length,
    wrong: {
      searchTexts: await count(db, wrongTexts, [ids]),
      publicViews: await count(db, wrongViews, [ids]),
      references: (await count(db, wrongReferences, [ids])) + (await count(db, staleReferences, [owners])),
      counts:
        (await count(db, wrongOwnerCounts, [owners])) +
        (await count(db, wrongPlaceCounts, [places])) +
        (await countWrongWaiting(db)),
    },
  };
}

/** Recounting reads all events: 8 s for a million packages. */
const mostRecounted = 300_000;

/** Recounts the figures of all quarters of an hour. @returns how many are wrong; null where there are too many packages for it */
export async function checkFigures(db: Queryable): Promise<number | null> {
  return (await countPackages(db)) > mostRecounted ? null : count(db, wrongFigures, []);
}
