import { encode } from 'uqr';

/** Dark on white even in dark mode: many cameras cannot read inverted codes. */
export function QrCode({ text, label, size: shown = 'lg' }: { text: string; label: string; size?: 'sm' | 'lg' }) {
  const { data, size } = encode(text);
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x},${y}h1v1h-1z` : '')));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={shown === 'sm' ? 'size-18' : 'size-48'}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}
