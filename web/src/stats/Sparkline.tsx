const width = 76;
const height = 26;
const edge = 3;

/** A line of a week's counts, the last one dotted. Decorative: the counts are in words beside it. */
export function Sparkline({ counts, isAlert = false }: { counts: readonly number[]; isAlert?: boolean }) {
  const max = Math.max(1, ...counts);
  const step = (width - 2 * edge) / Math.max(1, counts.length - 1);
  const points = counts.map((count, index) => ({
    x: edge + index * step,
    y: height - edge - (count / max) * (height - 2 * edge),
  }));
  const last = points.at(-1);
  const line = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${width} ${height}`}
      className={`h-[26px] w-[76px] shrink-0 ${isAlert ? 'text-red-dot' : 'text-ink-3'}`}
    >
      <polygon points={`${edge},${height} ${line} ${width - edge},${height}`} className="fill-current opacity-10" />
      <polyline points={line} fill="none" strokeWidth="1.5" strokeLinejoin="round" className="stroke-current" />
      {last && <circle cx={last.x} cy={last.y} r="2.5" className="fill-current" />}
    </svg>
  );
}
