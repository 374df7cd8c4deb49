import { byAddress, type AddressKey } from '@waybill/contract';
import { destinationOf, type PackageRow } from '../packages/row.ts';

function addressOf(pkg: PackageRow): AddressKey {
  const to = destinationOf(pkg);
  return {
    postalCode: to.address_postal_code?.trim() ?? null,
    town: to.address_city?.trim() ?? null,
    street: to.address_street?.trim() ?? null,
  };
}

/** The same stops by postal code, town, street and house number; those that are kept stay where they are. */
export function proposeOrder(open: PackageRow[], isKept: (pkg: PackageRow) => boolean): PackageRow[] {
  const sorted = open
    .filter((pkg) => !isKept(pkg))
    .toSorted((one, other) => byAddress(addressOf(one), addressOf(other)));
  return open.map((pkg) => (isKept(pkg) ? pkg : (sorted.shift() ?? pkg)));
}
