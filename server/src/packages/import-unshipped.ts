import { normalizeName } from './import-column-names.ts';

/** A cell value by which a shop marks an order, or one of its items, as having nothing (left) to ship. */
interface UnshippedRule {
  scope: 'order' | 'item';
  columns: string[];
  when: RegExp;
  reason: string;
}

const cancelled = 'was cancelled';
const refunded = 'was refunded';
const fulfilled = 'is fulfilled already';
const unpaid = 'was not paid';

/** The values as documented by the known shops. WooCommerce's database prefixes its statuses with `wc-`. */
const rules: readonly UnshippedRule[] = [
  { scope: 'order', columns: ['Cancelled at'], when: /./, reason: cancelled },
  { scope: 'order', columns: ['Financial Status'], when: /^refunded$/i, reason: refunded },
  { scope: 'order', columns: ['Financial Status'], when: /^(voided|expired)$/i, reason: unpaid },
  { scope: 'order', columns: ['Fulfillment Status'], when: /^fulfilled$/i, reason: fulfilled },
  { scope: 'item', columns: ['Lineitem requires shipping'], when: /^false$/i, reason: 'needs no shipping' },
  { scope: 'item', columns: ['Lineitem fulfillment status'], when: /^fulfilled$/i, reason: fulfilled },
  { scope: 'order', columns: ['Order Status', 'status'], when: /^(wc-)?cancelled$/i, reason: cancelled },
  { scope: 'order', columns: ['Order Status', 'status'], when: /^(wc-)?refunded$/i, reason: refunded },
  { scope: 'order', columns: ['Order Status', 'status'], when: /^(wc-)?completed$/i, reason: fulfilled },
  { scope: 'order', columns: ['Order Status', 'status'], when: /^(wc-)?failed$/i, reason: unpaid },
  { scope: 'item', columns: ['Quantity (- Refund)'], when: /^0$/, reason: refunded },
];

/** The rules that apply to a file, each with the index of its column. */
export type UnshippedRules = readonly (Pick<UnshippedRule, 'scope' | 'when' | 'reason'> & { index: number })[];

/** @param header the header of a known shop */
export function findUnshippedRules(header: readonly string[]): UnshippedRules {
  const names = header.map(normalizeName);
  return rules.flatMap(({ columns, ...rule }) =>
    columns.map((name) => ({ ...rule, index: names.indexOf(normalizeName(name)) })).filter(({ index }) => index >= 0),
  );
}

/** Returns why the order, and why the item of this row, has nothing to ship; null where it has. */
export function findUnshippedReasons(
  cells: readonly string[],
  applicable: UnshippedRules,
): { order: string | null; item: string | null } {
  const reasonFor = (wanted: UnshippedRule['scope']) =>
    applicable.find(({ scope, index, when }) => scope === wanted && when.test(cells[index]?.trim() ?? ''))?.reason ??
    null;
  return { order: reasonFor('order'), item: reasonFor('item') };
}
