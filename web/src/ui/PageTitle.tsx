import type { ReactNode } from 'react';

interface PageTitleProps {
  title: ReactNode;
  subtitle?: ReactNode;
  /** Right after the title: a status badge. */
  beside?: ReactNode;
  /** Above the title: a back link. */
  before?: ReactNode;
  /** To the right: the page's primary actions. */
  actions?: ReactNode;
}

/** The heading of a page (h1) with subtitle and actions. */
export function PageTitle({ title, subtitle, beside, before, actions }: PageTitleProps) {
  return (
    <div className="mb-6">
      {before && <div className="mb-2">{before}</div>}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        {/* On tablets and wider a long subtitle takes two lines, so that the actions stay at the right. */}
        <div className="min-w-0 sm:grow sm:basis-68">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <h1 className="text-title font-semibold text-ink wrap-anywhere">{title}</h1>
            {beside}
          </div>
          {subtitle && <p className="mt-1 max-w-prose text-body text-ink-2">{subtitle}</p>}
        </div>
        {/* Their centre on the line of the title: a button is 44 px high, the line 32. */}
        {actions && <div className="-my-1.5 flex min-h-11 flex-wrap items-center gap-2">{actions}</div>}
      </div>
    </div>
  );
}
