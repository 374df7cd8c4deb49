import { byAddress, type AddressKey } from '@waybill/contract';
import type { PackageRow } from '../packages/row.ts';

const addressOf = (pkg: PackageRow): AddressKey => ({
  postalCode: pkg.address_postal_code?.trim() ?? null,
  town: pkg.address_city?.trim() ?? null,
  street: pkg.address_street?.trim() ?? null,
});

/** The same stops by postal code, town, street and house number; those that are kept stay where they are. */
export function proposeOrder(open: PackageRow[], isKept: (pkg: PackageRow) => boolean): PackageRow[] {
  const sorted = open
    .filter((pkg) => !isKept(pkg))
    .toSorted((one, other) => byAddress(addressOf(one), addressOf(other)));
  return open.map((pkg) => (isKept(pkg) ? pkg : (sorted.shift() ?? pkg)));
}
