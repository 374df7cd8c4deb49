import type { Organisation } from '@waybill/contract';

/** The organisation's logo and name. The default logo is the product's: a W in the shape of a route. */
export function Logo({ name, logo }: Organisation) {
  return (
    <span className="inline-flex min-w-0 items-center gap-2.5">
      {logo ? (
        <img src={logo} alt="" className="h-7 max-w-24 shrink-0 object-contain" />
      ) : (
        <svg viewBox="0 0 32 32" aria-hidden="true" className="size-7 shrink-0">
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
      )}
      <span className="truncate text-[1.0625rem] font-semibold tracking-[-0.02em] text-ink">{name}</span>
    </span>
  );
}
