import type { ReactNode } from 'react';

/** One detail of a delivery on a line: an icon, and a name for screen readers. */
export function DeliveryLine({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <p className="flex min-w-0 items-start gap-2 text-ui text-ink-2">
      <span aria-hidden="true" className="mt-0.5 shrink-0 text-ink-3 [&_svg]:size-4">
        {icon}
      </span>
      <span className="sr-only">{name}: </span>
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  );
}
