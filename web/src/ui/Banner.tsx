import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import type { Tone } from './tone.ts';
import { toneFillClasses } from './tone.ts';

interface BannerProps {
  tone?: Tone;
  icon?: ReactNode;
  title?: ReactNode;
  children?: ReactNode;
  /** A button or link at the right. */
  action?: ReactNode;
  /** A live region: screen readers announce it when it appears. */
  live?: boolean;
}

export function Banner({ tone = 'blue', icon, title, children, action, live }: BannerProps) {
  return (
    <div
      role={live ? 'status' : undefined}
      className={classes('flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card px-4 py-3', toneFillClasses[tone])}
    >
      <div className="flex min-w-0 flex-[1_1_14rem] gap-3">
        {icon && (
          <span aria-hidden="true" className="shrink-0 [&_svg]:size-5">
            {icon}
          </span>
        )}
        <div className="min-w-0">
          {title && <p className="text-ui font-semibold">{title}</p>}
          {children && <div className="text-ui text-pretty">{children}</div>}
        </div>
      </div>
      {action}
    </div>
  );
}
