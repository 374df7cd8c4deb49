/** An address split for reading at a distance. */
export interface AddressParts {
  street: string;
  /** Null if the text has none, or more than one possible. */
  number: string | null;
  /** Everything after the street: postal code, town, country. Empty without. */
  place: string;
}

/** 7, 22a, 12-14, 12/3, 5 B */
const houseNumber = String.raw`\d{1,5}(?: ?\p{L})?(?:[-/–]\d{1,5}\p{L}?)?`;
const numberLast = new RegExp(String.raw`^(.*\p{L}.*?),? (${houseNumber})$`, 'u');
const numberFirst = new RegExp(String.raw`^(${houseNumber}),? (.*\p{L}{2}.*)$`, 'u');
/** Shorter than any postal code. */
const numberAlone = /^\d{1,3} ?\p{L}?$/u;

/**
 * Splits 'Chestnut Avenue 22, 40112 Riverton' into street, house number and place. The text is free: the number is found at the end of
 * the first line, at its start, or alone after a comma ('Calle Mayor, 5').
 */
export function splitAddress(address: string): AddressParts {
  const [first = '', ...rest] = address.split(/\s*[,\n]\s*/).filter(Boolean);
  const place = (parts: string[]) => parts.join(', ');
  const [second = '', ...others] = rest;
  const last = numberLast.exec(first);
  // A lone '40112 Riverton' is a town.
  const start = rest.length > 0 ? numberFirst.exec(first) : null;
  if (last && start) return { street: first, number: null, place: place(rest) };
  if (last) return { street: last[1] ?? first, number: last[2] ?? null, place: place(rest) };
  if (start) return { street: start[2] ?? first, number: start[1] ?? null, place: place(rest) };
  if (numberAlone.test(second) && others.length > 0) return { street: first, number: second, place: place(others) };
  return { street: first, number: null, place: place(rest) };
}
