import type { ReactNode } from 'react';

/** The sheet that the parcels of empty states are drawn on. Decorative: the words stand below it. */
export function ParcelFrame({ children }: { children: ReactNode }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 300 176" fill="none" className="mx-auto mb-3 h-32 w-auto max-w-full">
      {children}
    </svg>
  );
}

export const ParcelShadow = () => <ellipse cx="150" cy="152" rx="72" ry="10" className="fill-ink" fillOpacity="0.08" />;
