import type { Queryable } from '../platform/database/db.ts';
import {
  groupStatement,
  keptGroups,
  namesOfGroups,
  presentGroups,
  sumDriven,
  sumColumns,
  sumsOf,
  type GroupRow,
  type NamedDimension,
} from './attempt-sums.ts';

export interface GroupsWanted {
  by: NamedDimension;
  /** Both days are inclusive. The period before ends on the day before `from`, and begins with `before`. */
  before: string;
  from: string;
  to: string;
  limit: number;
}

/**
 * The first groups of a breakdown and its totals, exact at the moment they are read. Each process remembers what it added up from kept sums,
 * which are of past days: adding up a month of a thousand owners takes several times as long as what changes, the attempts of today.
 */
export interface BreakdownSums {
  read(db: Queryable, wanted: GroupsWanted): Promise<GroupRow[]>;
  /** After the database turned out to be another one. */
  clear(): void;
}

/** Sums in the order of `sumColumns`, of one group. */
type Sums = readonly number[];

interface Remembered {
  version: string;
  groups: ReadonlyMap<string, Sums>;
  /** Completed in the period before, by group. */
  completedBefore: ReadonlyMap<string, number>;
  totals: Sums;
  totalsBefore: Sums;
}

/** Periods and dimensions that are remembered, and the groups of one: some 10 MB together at most. */
const maxRemembered = 16;
const maxGroups = 5_000;

const none: Sums = sumColumns.map(() => 0);
const completedAt = sumColumns.indexOf('completed');
const add = (one: Sums, other: Sums): Sums => one.map((sum, at) => sum + (other[at] ?? 0));
const completedOf = (sums: Sums): number => sums[completedAt] ?? 0;

export function openBreakdownSums(): BreakdownSums {
  const remembered = new Map<string, Remembered>();
  /** The groups that were shown last: most of them will be shown again, so that their names are read beside the sums. */
  const shown = new Map<string, string[]>();

  /** The sums of the days that were not stale. @returns null if they have changed since */
  async function readKept(
    db: Queryable,
    { by, before, from, to }: GroupsWanted,
    stale: string[],
    version: string,
  ): Promise<Remembered | null> {
    const key = JSON.stringify([by, before, from, to, stale]);
    const found = remembered.get(key);
    remembered.delete(key);
    if (found?.version === version) {
      remembered.set(key, found);
      return found;
    }
    const [row] = await db.query<ReturnType<typeof keptGroups>['row']>(keptGroups(by).sql, [before, to, from, stale]);
    if (row?.version !== version) return null;
    const totalsOf = (side: boolean): Sums => {
      const [, ...sums] = row.totals.find(([isNow]) => isNow === side) ?? [side];
      return sums.length > 0 ? sums : none;
    };
    const kept = {
      version,
      groups: new Map(row.groups.map(([group, ...sums]) => [group, sums])),
      completedBefore: new Map(row.before),
      totals: totalsOf(true),
      totalsBefore: totalsOf(false),
    };
    if (kept.groups.size + kept.completedBefore.size <= maxGroups) remembered.set(key, kept);
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size > maxRemembered) remembered.delete(oldest);
    return kept;
  }

  return {
    async read(db, wanted) {
      const { by, before, from, to, limit } = wanted;
      const period = JSON.stringify([by, before, from, to]);
      const expected = shown.get(period) ?? [];
      const [[present], driven, names] = await Promise.all([
        db.query<ReturnType<typeof presentGroups>['row']>(presentGroups(by).sql, [before, to, from]),
        sumDriven(db, by, { before, from, to }),
        namesOfGroups(db, by, expected, { from, to }),
      ]);
      const kept = present?.version && (await readKept(db, wanted, present.stale, present.version));
      // The kept sums have changed meanwhile: then all of it from one snapshot.
      if (!present || !kept) return db.query<GroupRow>(...groupStatement(wanted));
      const groups = new Map(kept.groups);
      const completedBefore = new Map<string, number>();
      let { totals, totalsBefore } = kept;
      for (const [key, isNow, ...sums] of present.groups)
        if (isNow) {
          groups.set(key, add(groups.get(key) ?? none, sums));
          totals = add(totals, sums);
        } else {
          completedBefore.set(key, completedOf(sums));
          totalsBefore = add(totalsBefore, sums);
        }
      const first = [...groups]
        .toSorted(([key, sums], [other, others]) => completedOf(others) - completedOf(sums) || (key < other ? -1 : 1))
        .slice(0, limit);
      const keys = first.map(([key]) => key);
      shown.delete(period);
      shown.set(period, keys);
      const [oldest] = shown.keys();
      if (oldest !== undefined && shown.size > maxRemembered) shown.delete(oldest);
      const wereExpected = new Set(expected);
      const others = keys.filter((key) => !wereExpected.has(key));
      const otherNames = await namesOfGroups(db, by, others, { from, to });
      const ofRoutes = (isNow: boolean) => driven.find((sums) => sums.is_now === isNow);
      return [
        rowOf('totals', '', totals, 0, null, ofRoutes(true)),
        rowOf('before', '', totalsBefore, 0, null, ofRoutes(false)),
        ...first.map(([key, sums]) => {
          const before = (kept.completedBefore.get(key) ?? 0) + (completedBefore.get(key) ?? 0);
          return rowOf('group', key, sums, before, groups.size, names.get(key) ?? otherNames.get(key));
        }),
      ];
    },
    clear() {
      remembered.clear();
      shown.clear();
    },
  };
}

function rowOf(
  part: GroupRow['part'],
  key: string,
  sums: Sums,
  completedBefore: number,
  groups: number | null,
  known: Partial<GroupRow> = {},
): GroupRow {
  const { name = null, day = null, driver = null, depot = null, metres = null, co2_grams = null, cost = null } = known;
  const others = {
    part,
    key,
    completed_before: completedBefore,
    groups,
    name,
    day,
    driver,
    depot,
    metres,
    co2_grams,
    cost,
  };
  return Object.assign(sumsOf(sums), others);
}
