/** Our mark: a W drawn as one route. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <svg viewBox="0 0 32 32" aria-hidden="true" className="size-7">
        <rect width="32" height="32" rx="8" className="fill-brand" />
        <path
          d="M7 10.5l4.2 11 4.8-9 4.8 9 4.2-11"
          fill="none"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-on-brand"
        />
      </svg>
      <span className="text-[1.0625rem] font-semibold tracking-[-0.02em] text-ink">Waybill</span>
    </span>
  );
}
