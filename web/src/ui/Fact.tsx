import type { ReactNode } from 'react';

/** One named value, for a `<dl>`. */
export function Fact({ name, icon, children }: { name: string; icon?: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="flex items-center gap-1.5 text-table text-ink-3 [&_svg]:size-4 [&_svg]:shrink-0">
        {icon}
        {name}
      </dt>
      <dd className="mt-0.5 text-ui font-medium text-ink wrap-anywhere">{children}</dd>
    </div>
  );
}
