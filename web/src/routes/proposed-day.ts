import { dayIn, type WaitingPackage } from '@waybill/contract';
import { windowIn } from './plan.ts';

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

/**
 * The times that were wished for a selection, each with its day, in their order: what is planned for a day should keep them. Only of loaded rows.
 * @param zone where the selection waits
 */
export function wishedTimes(rows: readonly Pick<WaitingPackage, 'id' | 'window'>[], zone: string): WishedTime[] {
  const windows = new Map(rows.flatMap(({ id, window }) => (window ? [[id, window]] : [])));
  const found = new Map<string, WishedTime>();
  for (const window of [...windows.values()].toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const [day, lastDay] = [dayIn(zone, new Date(window.from)), dayIn(zone, new Date(window.to))];
    const key = `${window.from} ${window.to}`;
    const packages = (found.get(key)?.packages ?? 0) + 1;
    found.set(key, { day, lastDay, time: windowIn(zone, window) ?? '', packages });
  }
  return [...found.values()];
}

export interface WishedTime {
  day: string;
  lastDay: string;
  /** '14–16'. */
  time: string;
  packages: number;
}
