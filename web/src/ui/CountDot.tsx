const maxShown = 99;

/** A number on the upper right of an icon. */
export function CountDot({ count }: { count: number }) {
  return (
    <span
      aria-hidden="true"
      className="figures absolute bottom-[calc(50%+0.15em)] left-[calc(50%+0.1em)] flex h-[1.6em] min-w-[1.6em] items-center justify-center rounded-full bg-brand px-[0.35em] text-[0.625rem] leading-none font-semibold text-on-brand"
    >
      {count > maxShown ? `${maxShown}+` : count}
    </span>
  );
}
