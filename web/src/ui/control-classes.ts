/** The shared styles of inputs, text areas and selects. Text of 16 px, because phones zoom into fields with smaller text. */
export const controlClasses =
  'w-full min-w-0 rounded-control border border-control bg-surface px-3 text-body text-ink transition-[border-color] ' +
  'placeholder:text-ink-3 hover:border-ink-3 [&:is(input,textarea):read-only]:bg-sunken ' +
  'aria-invalid:border-danger disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-3';
