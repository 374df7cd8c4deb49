import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';

interface FoldProps {
  icon: ReactNode;
  title: string;
  /** Shown while it is folded: unfolded, the same words stand below. */
  summary?: string;
  open?: boolean;
  className?: string;
  children: ReactNode;
}

/** A row that unfolds, also without JavaScript. */
export function Fold({ icon, title, summary = '', open, className = '', children }: FoldProps) {
  return (
    <details open={open} className={`group min-w-0 ${className}`}>
      <summary className="flex print:hidden min-h-13 cursor-pointer list-none items-center gap-3 rounded-control [&::-webkit-details-marker]:hidden">
        <span aria-hidden="true" className="shrink-0 text-ink-3 [&_svg]:size-[18px]">
          {icon}
        </span>
        <span className="shrink-0 text-ui font-medium text-ink">{title}</span>
        <span className="min-w-0 grow truncate text-table text-ink-3 group-open:invisible">{summary}</span>
        <ChevronDown
          aria-hidden="true"
          className="size-5 shrink-0 text-ink-3 transition-transform group-open:rotate-180"
        />
      </summary>
      {children}
    </details>
  );
}
