/** Tracking IDs by the name of their kind, in random order. Sent once to each load process, because there are a million. */
export type IdsByKind = Record<string, string[]>;

/** Lookups of IDs of one kind. */
export interface Lookups {
  kind: string;
  count: number;
  /** The number of client addresses for X-Forwarded-For; 0 sends none. */
  addresses: number;
}

let ids: IdsByKind = {};
const cursors = new Map<string, number>();

export function keepIds(given: IdsByKind): void {
  ids = given;
}

/** Returns the next IDs of a kind: an ID comes up again only after all others of its kind. */
export function nextPaths({ kind, count }: Pick<Lookups, 'kind' | 'count'>): string[] {
  const all = ids[kind] ?? [];
  if (all.length === 0) throw new Error(`there is no tracking ID to look up: ${kind}`);
  const from = cursors.get(kind) ?? 0;
  cursors.set(kind, from + count);
  return Array.from({ length: count }, (_, index) => `/api/track/${all[(from + index) % all.length]}`);
}

/** An address of the range reserved for benchmarks (RFC 2544). */
export const addressOf = (index: number): string => `198.18.${index >> 8}.${index & 255}`;
