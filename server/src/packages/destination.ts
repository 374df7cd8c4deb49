import type { Address } from '@waybill/contract';
import { oneLine } from './row.ts';

/** Where a package goes and whose it is, as SQL. */
export const destinationColumns = (pkg: string): string =>
  `${pkg}.owner_id, ${pkg}.address, ${pkg}.window_from, ${pkg}.window_to,
  (select name from users where id = ${pkg}.owner_id and deleted_at is null) as owner`;

/** Null in rows of what is no package. Times are texts where the database has built JSON of them. */
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
