import type { WaitingPackage } from '@waybill/contract';

/**
 * The day that is proposed for a selection: of those of its packages the last one, so that no wish is missed. Null where one of them was
 * not tried yet or is not loaded, and where all can go on the day that is shown.
 * @param count how many are selected
 */
export function proposedDayOf(
  rows: readonly Pick<WaitingPackage, 'id' | 'proposedDay'>[],
  count: number,
  shown: string,
): string | null {
  const days = new Map(rows.flatMap(({ id, proposedDay }) => (proposedDay === null ? [] : [[id, proposedDay]])));
  if (count === 0 || days.size < count) return null;
  const last = [...days.values()].toSorted().at(-1) ?? shown;
  return last > shown ? last : null;
}
