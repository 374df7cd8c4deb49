/** SQL condition: a row of packages goes back to its owner. Word for word as in the index `packages_returning`. */
export const isReturning = (pkg: string): string =>
  `${pkg}.return_due and ${pkg}.status in ('processing', 'in transit', 'out for delivery')`;

/**
 * SQL: longitude or latitude of where a row of packages goes: to its recipient, or back to its owner's return address. Null where that is
 * not known, or no more than its town: nobody is sent to the middle of a town.
 */
export const goesTo = (pkg: string, axis: 'lon' | 'lat'): string =>
  `case when ${pkg}.return_due then (select sender.return_${axis} from users sender where sender.id = ${pkg}.owner_id and sender.return_accuracy <> 'town')
    when ${pkg}.place_accuracy <> 'town' then ${pkg}.place_${axis} end`;
