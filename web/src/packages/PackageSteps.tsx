import type { Package } from '@waybill/contract';
import { isOnTheRoad } from '@waybill/contract';
import { Check, Box, Truck } from 'lucide-react';
import { classes } from '../ui/classes.ts';
import { DayWords } from '../ui/DayWords.tsx';

type StepsOf = Pick<Package, 'status' | 'createdAt' | 'startTime' | 'completedAt'>;

/** The three steps of a package, with the time of each one reached. */
export function PackageSteps({ pkg }: { pkg: StepsOf }) {
  const { status } = pkg;
  // Cancelled or deleted: how far it came, in grey.
  const isOver = status === 'cancelled' || status === 'inactive';
  const came = isOver && pkg.startTime !== null ? 1 : 0;
  const reached = status === 'delivered' ? 2 : isOnTheRoad(status) ? 1 : came;
  const steps = [
    { label: 'Processing', icon: Box, at: pkg.createdAt },
    { label: 'In Transit', icon: Truck, at: pkg.startTime },
    { label: 'Delivered', icon: Check, at: pkg.completedAt },
  ];
  return (
    <div className="@container">
      {/* Side by side where the labels fit; stacked with large text. */}
      <ol className="grid gap-4 @min-[15rem]:grid-cols-3 @min-[15rem]:gap-0">
        {steps.map(({ label, icon: Icon, at }, index) => (
          <li
            key={label}
            aria-current={index === reached && !isOver ? 'step' : undefined}
            className="relative flex flex-wrap items-center gap-x-3 @min-[15rem]:flex-col @min-[15rem]:px-1 @min-[15rem]:text-center"
          >
            {index > 0 && (
              <span
                aria-hidden="true"
                className={classes(
                  'absolute top-[1.1875rem] hidden @min-[15rem]:block right-[calc(50%+1.75rem)] left-[calc(-50%+1.75rem)] h-0.5 rounded-full',
                  index <= reached && !isOver ? 'bg-brand' : 'bg-line',
                )}
              />
            )}
            <span
              aria-hidden="true"
              className={classes(
                'flex size-10 shrink-0 items-center justify-center rounded-full',
                index > reached && 'border border-control/60 text-ink-3',
                index <= reached &&
                  (isOver
                    ? 'bg-ink-3 text-surface'
                    : index === 2
                      ? 'bg-success text-on-success'
                      : 'bg-brand text-on-brand'),
              )}
            >
              <Icon className="size-5" />
            </span>
            <span
              className={classes(
                'text-ui @min-[15rem]:mt-2',
                index === reached && !isOver
                  ? 'font-semibold text-ink'
                  : index <= reached
                    ? 'text-ink-2'
                    : 'text-ink-3',
              )}
            >
              {label}
              {(index < reached || (isOver && index === reached)) && <span className="sr-only"> (done)</span>}
            </span>
            {index <= reached && at && (
              <span className="text-meta text-ink-3">
                <DayWords value={at} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
