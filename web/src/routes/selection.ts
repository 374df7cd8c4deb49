import type { WaitingFilter, WaitingGroup, WaitingSelection } from '@waybill/contract';

/** A waiting package, as a selection needs it. */
export interface SelectableRow {
  id: string;
  weight: number;
  postalCode: string | null;
  town: string | null;
}

type Group = Pick<WaitingGroup, 'postalCode' | 'town'>;

export const groupKey = ({ postalCode, town }: Group): string => JSON.stringify([postalCode, town]);
const groupOf = (key: string): Group => {
  const [postalCode, town] = JSON.parse(key) as [string | null, string | null];
  return { postalCode, town };
};

/** What is ticked of the waiting packages. Groups count with what is not loaded of them. */
export interface Chosen {
  /** Everything that matches the filters. */
  all: boolean;
  groups: ReadonlySet<string>;
  rows: ReadonlyMap<string, SelectableRow>;
  /** Unticked within a group or everything. */
  except: ReadonlyMap<string, SelectableRow>;
}

export const nothingChosen: Chosen = { all: false, groups: new Set(), rows: new Map(), except: new Map() };

const isCovered = ({ all, groups }: Chosen, group: Group): boolean => all || groups.has(groupKey(group));

export const isChosen = (chosen: Chosen, row: SelectableRow): boolean =>
  chosen.rows.has(row.id) || (isCovered(chosen, row) && !chosen.except.has(row.id));

/** Ticks or unticks rows. */
export function chooseRows(chosen: Chosen, rows: readonly SelectableRow[], on: boolean): Chosen {
  const next = { ...chosen, rows: new Map(chosen.rows), except: new Map(chosen.except) };
  for (const row of rows) {
    next.rows.delete(row.id);
    next.except.delete(row.id);
    const covered = isCovered(chosen, row);
    if (on && !covered) next.rows.set(row.id, row);
    if (!on && covered) next.except.set(row.id, row);
  }
  return next;
}

const within = (rows: ReadonlyMap<string, SelectableRow>, group: Group): SelectableRow[] =>
  [...rows.values()].filter((row) => groupKey(row) === groupKey(group));

const without = (rows: ReadonlyMap<string, SelectableRow>, group: Group) =>
  new Map([...rows].filter(([, row]) => groupKey(row) !== groupKey(group)));

/** How many packages of a group are ticked. */
const countIn = (chosen: Chosen, group: WaitingGroup): number =>
  isCovered(chosen, group)
    ? Math.max(0, group.packages - within(chosen.except, group).length)
    : Math.min(group.packages, within(chosen.rows, group).length);

export function groupState(chosen: Chosen, group: WaitingGroup): boolean | 'mixed' {
  const count = countIn(chosen, group);
  if (count === 0) return false;
  return count === group.packages ? true : 'mixed';
}

/** Ticks a group with what is not loaded of it, or unticks it. @param groups all that are loaded */
export function toggleGroup(chosen: Chosen, group: WaitingGroup, groups: readonly WaitingGroup[]): Chosen {
  const on = groupState(chosen, group) !== true;
  const covered = new Set(chosen.all ? groups.map(groupKey) : chosen.groups);
  if (on) covered.add(groupKey(group));
  else covered.delete(groupKey(group));
  return {
    all: chosen.all && on,
    groups: chosen.all && on ? chosen.groups : covered,
    rows: without(chosen.rows, group),
    except: without(chosen.except, group),
  };
}

interface Totals {
  packages: number;
  kilograms: number;
}

const weightOf = (rows: Iterable<SelectableRow>): number => [...rows].reduce((sum, { weight }) => sum + weight, 0);

/** @param matching everything that matches the filters */
export function totalsOf(chosen: Chosen, groups: readonly WaitingGroup[], matching: Totals): Totals {
  const covered = chosen.all ? [matching] : groups.filter((group) => chosen.groups.has(groupKey(group)));
  const packages = covered.reduce((sum, one) => sum + one.packages, 0) + chosen.rows.size - chosen.except.size;
  const kilograms =
    covered.reduce((sum, one) => sum + one.kilograms, 0) +
    weightOf(chosen.rows.values()) -
    weightOf(chosen.except.values());
  return { packages: Math.max(0, packages), kilograms: Math.max(0, Math.round(kilograms * 1000) / 1000) };
}

/** The selection as the server takes it. */
export const asSelection = (chosen: Chosen, filter: WaitingFilter): WaitingSelection => ({
  filter,
  all: chosen.all,
  groups: chosen.all ? [] : [...chosen.groups].map(groupOf),
  packageIds: [...chosen.rows.keys()],
  except: [...chosen.except.keys()],
});
