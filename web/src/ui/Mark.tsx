/** The product's mark: a strip folded into a W, on a ticket with one notch. Its colours are those of the theme unless given. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className}>
      <MarkPaths />
    </svg>
  );
}

/** The mark in a square of 32 units, for drawings. */
export function MarkPaths({ ground = 'var(--color-brand)' }: { ground?: string }) {
  return (
    <>
      <path d={ticket} fill={ground} />
      <path d={falling} fill="var(--color-mark-2)" />
      <path d={rising} fill="var(--color-mark)" />
    </>
  );
}

const ticket = 'M8 0h16a8 8 0 0 1 8 8v4.4a3.6 3.6 0 0 0 0 7.2V24a8 8 0 0 1-8 8H8a8 8 0 0 1-8-8V8a8 8 0 0 1 8-8z';
/** The rising panels of the W lie over the falling ones. */
const falling = 'M3.9 8.9h4.3l4.3 14.2H8.1zM13.1 12.3h4.4l4 10.8h-4.4z';
const rising = 'M8.1 23.1h4.4l5-10.8h-4.4zM17.1 23.1h4.4l4.3-14.2h-4.3z';
