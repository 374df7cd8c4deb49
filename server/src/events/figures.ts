import type { Tx } from '../platform/db.ts';
import type { AnyEvent, PackageEvent } from './record.ts';

/** How an attempt to deliver ended, and what it is judged by. */
export interface Attempt {
  /** The how-manieth of its package, from 1. */
  number: number;
  startedAt: Date;
  endedAt: Date;
  /** What is completed by then is on time. */
  dueAt: Date;
}

/** The columns of `figure_changes`. */
type Change = Partial<
  Record<
    | 'created'
    | 'started'
    | 'withdrawn'
    | 'deleted'
    | 'completed'
    | 'failed'
    | 'first_attempts'
    | 'first_completed'
    | 'delivery_ms'
    | 'completed_before'
    | 'issues_opened'
    | 'issues_resolved'
    | 'ratings'
    | 'stars',
    number
  >
>;

/** The whole map of figures: what an event adds to those of its moment. `recount_figures()` in the database says the same of all facts. */
function changeOf(event: PackageEvent): Change | null {
  switch (event.type) {
    case 'package.created':
      return { created: 1 };
    case 'delivery.started':
      return { started: 1 };
    case 'delivery.assigned':
      // A handover goes on with the attempt that another driver started.
      return event.previousDriverId ? null : { started: 1 };
    case 'package.cancelled':
      return { withdrawn: 1 };
    case 'package.deleted':
      return event.previousStatus === 'cancelled' ? { deleted: 1 } : { deleted: 1, withdrawn: 1 };
    case 'delivery.completed':
      return completed(attemptOf(event));
    case 'delivery.failed':
      return { failed: 1, first_attempts: isFirst(attemptOf(event)) };
    case 'issue.reported':
      return { issues_opened: 1 };
    case 'incident.resolved':
      return { issues_resolved: 1 };
    case 'package.rated':
      return { ratings: 1, stars: event.stars ?? 0 };
    default:
      return null;
  }
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
    // On time in every zone: the other two columns are of facts from when each viewer's zone decided.
    completed_before: attempt.endedAt <= attempt.dueAt ? 1 : 0,
  };
}

/** Appends what the events add to the figures, if anything, in their transaction: one row for those of one moment. */
export async function addToFigures(tx: Tx, events: AnyEvent[]): Promise<void> {
  const moments = new Map<number, Map<string, number>>();
  for (const event of events) {
    const change = 'packageId' in event ? changeOf(event) : null;
    if (!change) continue;
    const at = (('attempt' in event && event.attempt?.endedAt) || event.at).getTime();
    const sums = moments.get(at) ?? new Map<string, number>();
    for (const [column, added] of Object.entries(change)) sums.set(column, (sums.get(column) ?? 0) + added);
    moments.set(at, sums);
  }
  for (const [at, sums] of moments) {
    const columns = [...sums.keys()];
    await tx.query(
      `insert into figure_changes (at, ${columns.join(', ')}) values ($1, ${columns.map((_, n) => `$${n + 2}`).join(', ')})`,
      [new Date(at), ...sums.values()],
    );
  }
}
