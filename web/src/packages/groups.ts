import { isOnTheRoad } from '@waybill/contract';
import type { Package, PackageSummary } from '@waybill/contract';
import { formatCount, formatTime, localDay } from '../platform/formats.ts';
import type { RowGroup } from '../ui/DataTable.tsx';

interface Loaded {
  /** In the order of the server's list by stage. */
  packages: readonly Package[];
  /** There are more pages. */
  hasMore: boolean;
  /** The counts of all the owner's packages; null while the list is filtered or they are not known. */
  summary: Pick<PackageSummary, 'outForDelivery' | 'processing' | 'delivered' | 'cancelled'> | null;
  now: Date;
}

/**
 * The groups of an owner's list: what arrives today, what else is on the road, what waits, what is done. A group's count is exact when all
 * of it is loaded or the summary has it; otherwise it ends in '+'.
 */
export function groupsOf({ packages, hasMore, summary, now }: Loaded): RowGroup<Package>[] {
  const today = localDay(now);
  // Without an expected arrival nobody carries it at the moment.
  const arrivesToday = ({ status, estimatedDeliveryTime: expected }: Package) =>
    isOnTheRoad(status) && expected !== null && localDay(new Date(expected)) <= today;
  const groups: { id: string; title: string; total: number | null; rows: Package[] }[] = [
    { id: 'today', title: 'Arriving today', total: null, rows: [] },
    { id: 'road', title: 'On the way', total: null, rows: [] },
    { id: 'waiting', title: 'Waiting for a driver', total: summary?.processing ?? null, rows: [] },
    { id: 'done', title: 'Done', total: summary ? summary.delivered + summary.cancelled : null, rows: [] },
  ];
  for (const pkg of packages) {
    const at = arrivesToday(pkg) ? 0 : isOnTheRoad(pkg.status) ? 1 : pkg.status === 'processing' ? 2 : 3;
    groups[at]?.rows.push(pkg);
  }
  const last = groups.findLastIndex(({ rows }) => rows.length > 0);
  return groups.flatMap(({ id, title, total, rows }, index) => {
    if (rows.length === 0) return [];
    const isComplete = !hasMore || index < last;
    const known = id === 'road' && summary ? summary.outForDelivery - (groups[0]?.rows.length ?? 0) : total;
    const count =
      isComplete || known === null ? `${formatCount(rows.length)}${isComplete ? '' : '+'}` : formatCount(known);
    return [
      {
        id,
        title,
        count,
        rows,
        remark: id === 'done' ? cancelledRemark(rows, isComplete, summary) : remarkOf(id, rows, isComplete),
      },
    ];
  });
}

/** They count as done here, and as active in the specified figure. */
function cancelledRemark(rows: readonly Package[], isComplete: boolean, summary: Loaded['summary']): string | null {
  const cancelled = summary?.cancelled ?? rows.filter(({ status }) => status === 'cancelled').length;
  return cancelled > 0 && (isComplete || summary) ? `${formatCount(cancelled)} cancelled` : null;
}

/** 'next 11:40, last 16:20', '1 failed before'. */
function remarkOf(id: string, rows: readonly Package[], isComplete: boolean): string | null {
  if (id === 'today') {
    const times = rows.flatMap(({ estimatedDeliveryTime: at }) => (at ? [formatTime(at)] : []));
    const [next] = times;
    if (next === undefined) return null;
    return isComplete && times.length > 1 ? `next ${next}, last ${times.at(-1)}` : `next ${next}`;
  }
  if (id !== 'waiting') return null;
  const failed = rows.filter(({ failedAttempt }) => failedAttempt !== null).length;
  return failed > 0 ? `${formatCount(failed)} failed before` : null;
}
