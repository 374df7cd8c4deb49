import type { Address } from '@waybill/contract';
import { oneLine } from './row.ts';

/** SQL columns of a package's destination and owner. */
export const destinationColumns = (pkg: string): string =>
  `${pkg}.owner_id, ${pkg}.address, ${pkg}.window_from, ${pkg}.window_to,
  (select name from users where id = ${pkg}.owner_id and deleted_at is null) as owner`;

/** All null in rows that are not about a package. Times are strings where they come from JSON built by the database. */
export interface DestinationRow {
  owner_id: string | null;
  address: Address | null;
  window_from: Date | string | null;
  window_to: Date | string | null;
  owner: string | null;
}

export const asDestination = ({ address, window_from: from, window_to: to, owner }: DestinationRow) => ({
  recipientAddress: address && oneLine(address),
  window: from && to ? { from: new Date(from).toISOString(), to: new Date(to).toISOString() } : null,
  owner,
});
