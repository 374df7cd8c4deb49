import type { Plan } from '@waybill/contract';

const width = 240;
const height = 56;
/** What costs more than this share over the best leaves out packages: shown at the top, so that the rest can be seen. */
const shownOver = 0.4;

/** How the best cost fell: a step down for each better plan. */
export function PlanCurve({ best, limitSeconds }: Pick<Plan, 'best' | 'limitSeconds'>) {
  const last = best.at(-1);
  const [first] = best;
  if (!first || !last) return null;
  const lowest = Math.min(...best.map(({ cost }) => cost));
  const top = Math.max(lowest + 1, Math.min(Math.max(...best.map(({ cost }) => cost)), lowest * (1 + shownOver)));
  const until = Math.max(limitSeconds, last.at);
  const x = (at: number) => ((at / until) * width).toFixed(1);
  const y = (cost: number) => (4 + ((top - Math.min(cost, top)) / (top - lowest)) * (height - 8)).toFixed(1);
  const line = best.reduce(
    (path, { at, cost }, index) => (index === 0 ? `M${x(at)} ${y(cost)}` : `${path} H${x(at)} V${y(cost)}`),
    '',
  );
  const share = Math.round((1 - last.cost / first.cost) * 100);
  const says =
    best.length < 2 || share === 0 ? 'As good as the first one found' : `${share} % better than the first one found`;
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <svg
        role="img"
        aria-label={`Cost of the best plan so far, over ${Math.round(until)} seconds: ${says}`}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-14 w-full rounded-control border border-line bg-canvas text-brand"
      >
        <path d={line} fill="none" stroke="currentColor" strokeWidth="2" vectorEffect="non-scaling-stroke" />
      </svg>
      <figcaption className="text-meta figures text-ink-3">{says}</figcaption>
    </figure>
  );
}
