import { ruleOf, type FigureCount } from '@waybill/contract';
import type { Tx } from '../platform/database/db.ts';
import type { AnyEvent, Attempt, PackageEvent } from './event-types.ts';

/** The columns of `figure_changes` that events add to. */
const columns = [
  'created',
  'started',
  'withdrawn',
  'deleted',
  'completed',
  'failed',
  'first_attempts',
  'first_completed',
  'delivery_ms',
  'completed_before',
  'issues_opened',
  'issues_resolved',
  'ratings',
  'stars',
] as const;

/** All columns of the figures: two are of events from when each viewer's zone decided what was on time. */
export const figureColumns = [...columns, 'completed_on_day', 'completed_day_after'] as const;

type Change = Partial<Record<(typeof columns)[number], number>>;

/**
 * What an event adds to the figures of its time, by the `counts` of its rule. Must match `recounted_figures()` in the database, which
 * computes the figures from all events.
 */
const changes: Record<FigureCount, (event: PackageEvent) => Change | null> = {
  created: () => ({ created: 1 }),
  // A handover continues the attempt that another driver started.
  started: ({ previousDriverId }) => (previousDriverId ? null : { started: 1 }),
  withdrawn: () => ({ withdrawn: 1 }),
  deleted: ({ previousStatus }) => (previousStatus === 'cancelled' ? { deleted: 1 } : { deleted: 1, withdrawn: 1 }),
  completed: (event) => completed(attemptOf(event)),
  failed: (event) => ({ failed: 1, first_attempts: isFirst(attemptOf(event)) }),
  'issue opened': () => ({ issues_opened: 1 }),
  'issue resolved': () => ({ issues_resolved: 1 }),
  rated: ({ stars = 0 }) => ({ ratings: 1, stars }),
  // Without an attempt it was collected.
  reopened: ({ attempt }) => (attempt ? negated(completed(attempt)) : null),
};

const negated = (change: Change): Change =>
  Object.fromEntries(Object.entries(change).map(([column, added]) => [column, -added]));

/** What a reopened delivery takes from the figures of the time when it was rated. */
const lostRatingsOf = ({ lostRatings = [] }: PackageEvent): [at: Date, change: Change][] =>
  lostRatings.map(({ stars, at }) => [at, { ratings: -1, stars: -stars }]);

function changeOf(event: PackageEvent): Change | null {
  const counts = ruleOf(event.type)?.counts as FigureCount | undefined;
  return counts === undefined ? null : changes[counts](event);
}

function attemptOf(event: PackageEvent): Attempt {
  if (!event.attempt) throw new Error(`a ${event.type} without its attempt`);
  return event.attempt;
}

const isFirst = (attempt: Attempt) => (attempt.number === 1 ? 1 : 0);

function completed(attempt: Attempt): Change {
  return {
    completed: 1,
    first_attempts: isFirst(attempt),
    first_completed: isFirst(attempt),
    delivery_ms: attempt.endedAt.getTime() - attempt.startedAt.getTime(),
    // On time in every zone. The other two columns are for events from when each viewer's zone decided.
    completed_before: attempt.endedAt <= attempt.dueAt ? 1 : 0,
  };
}

const insertChanges = `
  insert into figure_changes (at, ${columns.join(', ')})
  select at, ${columns.map((column) => `coalesce(${column}, 0)`).join(', ')}
  from json_to_recordset($1) as change (at timestamptz, ${columns.map((column) => `${column} bigint`).join(', ')})`;

/** Appends the deltas of the events in their transaction: one row per timestamp, none if nothing is counted. */
export async function addToFigures(tx: Tx, events: AnyEvent[]): Promise<void> {
  const moments = new Map<number, Record<string, number>>();
  for (const event of events) {
    if (!('packageId' in event)) continue;
    const change = changeOf(event);
    const counted: [at: Date, change: Change][] = change ? [[event.attempt?.endedAt ?? event.at, change]] : [];
    for (const [at, added] of [...counted, ...lostRatingsOf(event)]) {
      const sums = moments.get(at.getTime()) ?? {};
      for (const [column, value] of Object.entries(added)) sums[column] = (sums[column] ?? 0) + value;
      moments.set(at.getTime(), sums);
    }
  }
  if (moments.size === 0) return;
  const rows = Array.from(moments, ([at, sums]) => ({ at: new Date(at), ...sums }));
  await tx.query(insertChanges, [JSON.stringify(rows)]);
}
