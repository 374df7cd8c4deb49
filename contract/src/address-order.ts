/** The parts of an address by which stops are ordered. Null where there is none. */
export interface AddressKey {
  postalCode: string | null;
  town: string | null;
  street: string | null;
}

/** 22765, SW1A 2AA, 1012 AB, D-20095: a leading word with a digit, and a short second one that belongs to it. */
const postalCodeFirst = /^((?:[A-Z]{1,2}-)?[A-Z]{0,2}\d[\dA-Z-]*(?: (?:\d[A-Z]{2}|[A-Z]{2}))?) (.+)$/;

/**
 * Reads an address of one line, as the product writes it: 'Ottenser Hauptstr. 44, 22765 Hamburg, Germany'. The last part that begins with
 * a postal code is the town, what stands before it is the street; without one the second part is the town.
 */
export function readAddressLine(line: string | null): AddressKey {
  const parts = (line ?? '')
    .split(/\s*,\s*/)
    .map((part) => part.trim())
    .filter(Boolean);
  const at = parts.findLastIndex((part, index) => index > 0 && postalCodeFirst.test(part));
  const [, postalCode = null, town = null] = postalCodeFirst.exec(parts[at] ?? '') ?? [];
  if (at > 0) return { street: parts.slice(0, at).join(', '), postalCode, town };
  return { street: parts[0] ?? null, postalCode: null, town: parts[1] ?? null };
}

// Creating a collator takes longer than a thousand comparisons.
const collator = new Intl.Collator('und', { numeric: true, sensitivity: 'base', ignorePunctuation: true });

/** A missing value sorts last. */
const compare = (a: string | null, b: string | null): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return collator.compare(a, b);
};

/** Orders by postal code, town, street and house number: 9 comes before 43. */
export const byAddress = (a: AddressKey, b: AddressKey): number =>
  compare(a.postalCode, b.postalCode) || compare(a.town, b.town) || compare(a.street, b.street);

const isSameAddress = (a: AddressKey | undefined, b: AddressKey | undefined): boolean =>
  a !== undefined && b !== undefined && a.street !== null && byAddress(a, b) === 0;

/**
 * Splits ordered stops into contiguous runs of equal length: they differ by one stop at most, or by a few where a boundary would separate
 * two stops of one address.
 *
 * @param runs how many, at least 1. Some are empty where there are fewer stops
 */
export function splitEvenly<T extends AddressKey>(stops: readonly T[], runs: number): T[][] {
  const boundaries = [0];
  for (let run = 1; run < runs; run++) {
    const ideal = Math.round((run * stops.length) / runs);
    const tolerance = Math.floor(stops.length / runs / 4);
    const before = boundaries[run - 1] ?? 0;
    // The nearest change of address: 0, 1, -1, 2, -2, … from the ideal boundary.
    const offsets = Array.from({ length: 2 * tolerance + 1 }, (_, n) => (n % 2 === 1 ? (n + 1) / 2 : -n / 2));
    const free = offsets.find((offset) => !isSameAddress(stops[ideal + offset - 1], stops[ideal + offset]));
    boundaries.push(Math.min(stops.length, Math.max(before, ideal + (free ?? 0))));
  }
  return boundaries.map((from, run) => stops.slice(from, boundaries[run + 1]));
}
