import { addressColumns, addressLineOf, type AddressColumns } from './row.ts';

/** SQL columns of a package's destination and owner. */
export const destinationColumns = (pkg: string): string =>
  `${pkg}.owner_id, ${addressColumns(pkg)}, ${pkg}.window_from, ${pkg}.window_to,
  (select name from users where id = ${pkg}.owner_id and deleted_at is null) as owner`;

/** All null in rows that are not about a package. Times are strings where they come from JSON built by the database. */
export interface DestinationRow extends AddressColumns {
  owner_id: string | null;
  window_from: Date | string | null;
  window_to: Date | string | null;
  owner: string | null;
}

export function asDestination(row: DestinationRow) {
  const { window_from: from, window_to: to, owner } = row;
  return {
    recipientAddress: addressLineOf(row),
    window: from && to ? { from: new Date(from).toISOString(), to: new Date(to).toISOString() } : null,
    owner,
  };
}
