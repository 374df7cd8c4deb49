import type { PackageRow } from '../packages/row.ts';

// The numbers in streets are compared as numbers: 'Am Markt 9' comes before 'Am Markt 10'.
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const partsOf = (pkg: PackageRow) => [pkg.address_postal_code, pkg.address_city, pkg.address_street];

/** By postal code, town and street; packages without an address are last. */
function compare(a: PackageRow, b: PackageRow): number {
  const [one, other] = [partsOf(a), partsOf(b)];
  for (const [index, part] of one.entries()) {
    const there = other[index] ?? null;
    if (part === null || there === null) {
      if (part !== there) return part === null ? 1 : -1;
    } else {
      const order = collator.compare(part.trim(), there.trim());
      if (order !== 0) return order;
    }
  }
  return 0;
}

/** The same stops by their addresses; those that are kept stay where they are. */
export function proposeOrder(open: PackageRow[], isKept: (pkg: PackageRow) => boolean): PackageRow[] {
  const sorted = open.filter((pkg) => !isKept(pkg)).toSorted(compare);
  return open.map((pkg) => (isKept(pkg) ? pkg : (sorted.shift() ?? pkg)));
}
