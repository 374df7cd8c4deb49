import { fill } from '@waybill/contract';
import { Check } from 'lucide-react';
import { classes } from '../ui/classes.ts';
import { texts } from './texts.ts';

/** More stops than this are a bar. */
const maxDots = 6;

interface StopDotsProps {
  done: number;
  open: number;
  /** Those of the open stops, in the order in which they are taken; without them the stops are counted through. */
  numbers?: number[] | undefined;
}

/** How far the day is: a dot for each of its stops, or a bar for many. */
export function StopDots({ done, open, numbers }: StopDotsProps) {
  const all = done + open;
  const at = numbers?.[0] ?? Math.min(done + 1, all);
  if (all === 0) return null;
  if (all > maxDots)
    return (
      <p className="flex items-center gap-3 text-ui font-semibold figures">
        <span className="sr-only">{fill(texts.stopOf, { stop: at, of: all })}</span>
        <span aria-hidden="true">{fill(texts.stopOfShort, { stop: at, of: all })}</span>
        <span aria-hidden="true" className="bar h-1.5 w-20 bg-line max-[22.5rem]:w-12">
          <span className="block h-full rounded-full bg-green-dot" style={{ width: `${(done / all) * 100}%` }} />
        </span>
      </p>
    );
  return (
    <p className="flex items-center text-table font-semibold figures">
      <span className="sr-only">{fill(texts.stopOf, { stop: at, of: all })}</span>
      {Array.from({ length: all }, (_, index) => {
        const isDone = index < done;
        return (
          <span key={index} aria-hidden="true" className="flex items-center">
            {index > 0 && <span className={classes('h-0.5 w-2.5', index <= done ? 'bg-green-strong' : 'bg-line')} />}
            <span
              className={classes(
                'dot flex items-center justify-center rounded-full',
                isDone && 'size-[1.375rem] bg-green-strong text-on-green',
                index === done && 'size-[1.875rem] bg-brand text-body text-on-brand',
                index > done && 'size-[1.375rem] border border-control text-ink-2',
              )}
            >
              {isDone ? <Check className="size-3.5" strokeWidth={3} /> : (numbers?.[index - done] ?? index + 1)}
            </span>
          </span>
        );
      })}
    </p>
  );
}
