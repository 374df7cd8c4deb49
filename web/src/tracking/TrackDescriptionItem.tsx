import type { ReactNode } from 'react';

/** Name and value for a `<dl>`. */
export function TrackDescriptionItem({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-table text-ink-3">{name}</dt>
      <dd className="mt-0.5 text-body font-medium text-ink wrap-anywhere">{children}</dd>
    </div>
  );
}
