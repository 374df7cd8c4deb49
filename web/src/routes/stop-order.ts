/** The wanted order for the stops that are still open, and then those that it does not know, in the round's order. */
export function mergedOrder(wanted: readonly string[], open: readonly string[]): string[] {
  const isOpen = new Set(open);
  const known = new Set(wanted);
  return [...wanted.filter((id) => isOpen.has(id)), ...open.filter((id) => !known.has(id))];
}

/** Moves one item to another place. */
export function moved(ids: readonly string[], id: string, to: number): string[] {
  const others = ids.filter((one) => one !== id);
  return [...others.slice(0, to), id, ...others.slice(to)];
}
