/** Where the open row is in its list. */
export interface Neighbours {
  /** Its place, from 1; null if it is not among the loaded rows. */
  position: number | null;
  count: number;
  previous: string | null;
  next: string | null;
}

/** @param ids those of the loaded rows, as they are shown */
export function neighboursOf(id: string, ids: readonly string[]): Neighbours {
  const at = ids.indexOf(id);
  if (at < 0) return { position: null, count: ids.length, previous: null, next: ids[0] ?? null };
  return { position: at + 1, count: ids.length, previous: ids[at - 1] ?? null, next: ids[at + 1] ?? null };
}
