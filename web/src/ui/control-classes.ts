/** The look shared by inputs, text areas and selects. 16 px text, or phones zoom into the field. */
export const controlClasses =
  'w-full min-w-0 rounded-control border border-control bg-surface px-3 text-body text-ink transition-[border-color] ' +
  'placeholder:text-ink-3 hover:border-ink-3 [&:is(input,textarea):read-only]:bg-sunken ' +
  'aria-invalid:border-danger disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-3';
