import { logRouteChanges, startedRoutesOf } from '../events/route-changes.ts';
import { hashedColumnNames } from './content-columns.ts';
import { packageColumns } from './row.ts';
import { isCountedAsWaiting, waitingGroup, waitingGroupColumns } from './waiting-counts.ts';

/**
 * The statements that write packages. Each writes the rows and all that is derived from them in one statement: the search text, the
 * directory of references, the counts by place, by owner and of what waits, the hash of the registered content, and the log of routes that
 * have changed. Nothing else may write the table: it has no triggers.
 */

/** Columns that the search text contains. */
const searchedColumns = [
  'name',
  'tracking_id',
  'recipient_name',
  'recipient_contact',
  'address_street',
  'address_postal_code',
  'address_city',
  'address_country',
  'reference',
];
/** Columns that packages are counted by, or that tell whose routes have changed. The owner of a package never changes. */
const countedColumns = [
  'status',
  'location',
  'driver_id',
  'route_id',
  'next_step',
  'weight',
  'failed_at',
  'address_postal_code',
  'address_city',
  'window_from',
  'eta',
];
/** Columns that the registered content depends on. */
const hashedColumns = [...hashedColumnNames, 'recipient_removed'];

const addressColumnNames = ['address_street', 'address_postal_code', 'address_city', 'address_country'];
const placeColumnNames = ['place_lon', 'place_lat', 'place_accuracy', 'place_source'];

/** Has the place of each address of `changed` looked up that has none. */
const searches = `to_searches as (
    insert into place_searches (package_id) select id from changed where address_street is not null and place_accuracy is null
    on conflict (package_id) do update set attempts = 0, due_at = now()
  )`;

/** Appends to the counts what the rows of `delta` (those of `deltaColumns`, and packages) add. */
const counts = `
  to_inventory as (
    insert into inventory_changes (location, status, packages)
    select coalesce(btrim(location), ''), status, sum(packages) from delta group by 1, 2 having sum(packages) <> 0
  ), to_owners as (
    insert into owner_count_changes (owner_id, status, packages)
    select owner_id, status, sum(packages) from delta group by 1, 2 having sum(packages) <> 0
  ), to_waiting as (
    insert into waiting_changes (${waitingGroupColumns}, packages, kilograms)
    select ${waitingGroup}, sum(packages), sum(packages * weight) from delta
    where ${isCountedAsWaiting('delta')} group by 1, 2, 3, 4, 5, 6, 7 having sum(packages) <> 0 or sum(packages * weight) <> 0
  )`;

const deltaColumns = ['owner_id', ...countedColumns];

/**
 * SQL that inserts packages and returns those that were inserted: without those whose tracking ID or reference is taken.
 * @param rows `values (…)` or a `select` with these columns
 * @param recorded more CTEs, which record the rows of `changed`
 */
export const packageInsert = (columns: string, rows: string, returning = packageColumns, recorded = ''): string => `
  with changed as (
    insert into packages (${columns}) ${rows} on conflict do nothing
    returning *, package_search_text(packages) as search_text
  ), to_search as (
    insert into package_search (owner_id, package_id, text, phone)
    select owner_id, id, search_text, phone_digits(recipient_contact) from changed
  ), to_references as (
    insert into package_references (owner_id, reference, package_id)
    select owner_id, reference, id from changed where reference is not null
  ), delta as (
    select ${deltaColumns.join(', ')}, 1 as packages from changed
  ), ${searches}, ${counts}${recorded === '' ? '' : `, ${recorded}`}
  select ${returning} from changed packages`;

interface Update {
  /** The condition of the rows. */
  where: string;
  /** Columns of JSON rows in `$1`, for `where` and `set`, named otherwise than those of packages: each row changes its package. */
  given?: string;
  /** SQL expressions by column. */
  set: Record<string, string>;
  returning?: string;
}

/**
 * SQL that updates packages and returns them. It locks the rows itself; callers that decide by a row's content lock it before.
 */
export const packageUpdate = ({ where, given = '', set: wanted, returning = packageColumns }: Update): string => {
  const isMoved = addressColumnNames.some((column) => column in wanted);
  const set = isMoved ? { ...wanted, ...placeUnlessMoved(wanted) } : wanted;
  const columns = Object.keys(set);
  const changesAny = (of: string[]) => of.some((column) => columns.includes(column));
  const isSearched = changesAny(searchedColumns);
  const isCounted = changesAny(countedColumns);
  const isNamed = columns.includes('reference') || mayEnd.test(set.status ?? '');
  const hash = changesAny(hashedColumns) ? `, ${registeredContent(set)}` : '';
  const assignments = columns.map((column) => `${column} = ${set[column]}`).join(', ') + hash;
  const rows = `json_to_recordset($1) as given (${given})`;
  if (!isSearched && !isCounted)
    return `
  with changed as (
    update packages set ${assignments}${given ? ` from ${rows}` : ''} where ${where} returning packages.*
  ), ${logRoutes('changed')}
  select ${returning} from changed packages`;
  return `
  with before as materialized (
    select id as before_id, ${deltaColumns.map((column) => `${column} as before_${column}`).join(', ')}${isNamed ? ', reference as before_reference' : ''}${given ? ', given.*' : ''}
    from packages${given ? `, ${rows}` : ''} where ${where} for no key update of packages
  ), changed as (
    update packages set ${assignments} from before where id = before_id
    returning packages.*${isSearched ? ', package_search_text(packages) as search_text, phone_digits(recipient_contact) as search_phone' : ''}
  )${isSearched ? `, ${search}` : ''}${isNamed ? `, ${references}` : ''}${isMoved ? `, ${searches}` : ''}${isCounted ? `, ${deltaOfUpdate}, ${counts}` : ''}, ${logRoutes(isCounted ? 'delta' : 'changed')}
  select ${returning} from changed packages`;
};

/**
 * Logs the routes of these packages. `delta` has them before the change as well; where only `changed` is there, they are the same. While a
 * driver is on the way to a package of no route, or of another one, the stops of the driver's route do not show where the driver is.
 */
const logRoutes = (rows: 'delta' | 'changed') => {
  const own = `select distinct route_id from ${rows} where route_id is not null`;
  const ofDrivers = `union ${startedRoutesOf("select driver_id from delta where status = 'out for delivery'")}`;
  return `to_routes as (${logRouteChanges(rows === 'delta' ? `${own} ${ofDrivers}` : own)})`;
};

const search = `to_search as (
    update package_search found set text = search_text, phone = search_phone from changed
    where found.owner_id = changed.owner_id and found.package_id = changed.id
      and (found.text, found.phone) is distinct from (search_text, search_phone)
  )`;

/** Packages that have given their reference back. */
export const withoutReference = "('cancelled', 'inactive')";
/** Whether this SQL of a status may be one of `withoutReference`: a parameter, or one of them. */
const mayEnd = /^\$|'cancelled'|'inactive'/;

const references = `freed_references as (
    delete from package_references found using before, changed
    where changed.id = before_id and found.owner_id = before_owner_id and found.reference = before_reference and found.package_id = before_id
      and (changed.reference is distinct from before_reference or changed.status in ${withoutReference})
  ), to_references as (
    insert into package_references (owner_id, reference, package_id)
    select owner_id, reference, id from changed join before on id = before_id
    where reference is not null and reference is distinct from before_reference and status not in ${withoutReference}
  )`;

const deltaOfUpdate = `delta as (
    select ${deltaColumns.map((column) => `before_${column} as ${column}`).join(', ')}, -1 as packages from before
    union all select ${deltaColumns.join(', ')}, 1 from changed
  )`;

/** The place of an address goes with it. */
function placeUnlessMoved(set: Record<string, string>): Record<string, string> {
  const before = addressColumnNames.map((column) => `packages.${column}`).join(', ');
  const after = addressColumnNames.map((column) => set[column] ?? `packages.${column}`).join(', ');
  return Object.fromEntries(
    placeColumnNames.map((column) => [
      column,
      `case when (${after}) is not distinct from (${before}) then packages.${column} end`,
    ]),
  );
}

/**
 * Keeps the hash of the content that a package was registered with, once its content is another: an import finds the package by it. It
 * goes with the recipient, whose name and address could be guessed by it.
 */
function registeredContent(set: Record<string, string>): string {
  const before = hashedColumnNames.map((column) => `packages.${column}`).join(', ');
  const after = hashedColumnNames.map((column) => set[column] ?? `packages.${column}`).join(', ');
  return `registered_content = case when ${set.recipient_removed ?? 'packages.recipient_removed'} then null
      else coalesce(registered_content, nullif(content_hash(${before}), content_hash(${after}))) end`;
}
