import type { Organisation } from '@waybill/contract';
import { Mark } from '../ui/Mark.tsx';

/** The organisation's logo and name. The default logo is the product's mark. */
export function Logo({ name, logo }: Organisation) {
  return (
    <span className="inline-flex min-w-0 items-center gap-2.5">
      {logo ? (
        <img src={logo} alt="" className="h-7 max-w-24 shrink-0 object-contain" />
      ) : (
        <Mark className="size-7.5 shrink-0" />
      )}
      <span className="truncate text-[1.0625rem] font-semibold tracking-[-0.02em] text-ink">{name}</span>
    </span>
  );
}
