import { plain } from './import-column-names.ts';

/** What a shop says of an order, or of one of its items, of which nothing is to be shipped any more. */
interface Sign {
  of: 'order' | 'item';
  columns: string[];
  when: RegExp;
  says: string;
}

const cancelled = 'was cancelled';
const refunded = 'was refunded';
const fulfilled = 'is fulfilled already';
const unpaid = 'was not paid';

/** Of all shops that we know: the values that their own pages document. WooCommerce's database writes `wc-` before its own. */
const signs: readonly Sign[] = [
  { of: 'order', columns: ['Cancelled at'], when: /./, says: cancelled },
  { of: 'order', columns: ['Financial Status'], when: /^refunded$/i, says: refunded },
  { of: 'order', columns: ['Financial Status'], when: /^(voided|expired)$/i, says: unpaid },
  { of: 'order', columns: ['Fulfillment Status'], when: /^fulfilled$/i, says: fulfilled },
  { of: 'item', columns: ['Lineitem requires shipping'], when: /^false$/i, says: 'needs no shipping' },
  { of: 'item', columns: ['Lineitem fulfillment status'], when: /^fulfilled$/i, says: fulfilled },
  { of: 'order', columns: ['Order Status', 'status'], when: /^(wc-)?cancelled$/i, says: cancelled },
  { of: 'order', columns: ['Order Status', 'status'], when: /^(wc-)?refunded$/i, says: refunded },
  { of: 'order', columns: ['Order Status', 'status'], when: /^(wc-)?completed$/i, says: fulfilled },
  { of: 'order', columns: ['Order Status', 'status'], when: /^(wc-)?failed$/i, says: unpaid },
  { of: 'item', columns: ['Quantity (- Refund)'], when: /^0$/, says: refunded },
];

/** Which cells of a file's rows say it. */
export type OrderSigns = readonly (Pick<Sign, 'of' | 'when' | 'says'> & { at: number })[];

/** @param header of a shop that we know */
export function findOrderSigns(header: readonly string[]): OrderSigns {
  const names = header.map(plain);
  return signs.flatMap(({ columns, ...sign }) =>
    columns.map((name) => ({ ...sign, at: names.indexOf(plain(name)) })).filter(({ at }) => at >= 0),
  );
}

/** Why there is nothing to ship, as far as this row tells: of its order and of its item. */
export function readOrderSigns(
  cells: readonly string[],
  found: OrderSigns,
): { order: string | null; item: string | null } {
  const sayOf = (kind: Sign['of']) =>
    found.find(({ of, at, when }) => of === kind && when.test(cells[at]?.trim() ?? ''))?.says ?? null;
  return { order: sayOf('order'), item: sayOf('item') };
}
