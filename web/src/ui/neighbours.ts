/** Where the open row is in its list. */
export interface Neighbours {
  /** Its place, from 1; null if it is not among the loaded rows. */
  position: number | null;
  /** The rows of the whole list; null if they are not counted. */
  total: number | null;
  previous: string | null;
  next: string | null;
}

/**
 * @param ids those of the loaded rows, as they are shown
 * @param total the rows of the whole list, loaded or not
 */
export function neighboursOf(id: string, ids: readonly string[], total: number | null = null): Neighbours {
  const at = ids.indexOf(id);
  if (at < 0) return { position: null, total, previous: null, next: ids[0] ?? null };
  return { position: at + 1, total, previous: ids[at - 1] ?? null, next: ids[at + 1] ?? null };
}
