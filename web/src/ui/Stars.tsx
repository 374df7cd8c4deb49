import { Star } from 'lucide-react';
import { classes } from './classes.ts';

const full = 'fill-yellow-dot text-yellow-dot';

/** A rating in stars, read-only. */
export function Stars({ value }: { value: number }) {
  return (
    <span role="img" aria-label={`${value} of 5 stars`} className="inline-flex gap-0.5">
      {[1, 2, 3, 4, 5].map((star) => {
        /** How much of this star is full: of a mean, a part. */
        const part = Math.min(Math.max(value - star + 1, 0), 1);
        return (
          <span key={star} aria-hidden="true" className="relative flex">
            <Star strokeWidth={1.5} className={classes('size-5', part === 1 ? full : 'text-control')} />
            {part > 0 && part < 1 && (
              <span className="absolute inset-y-0 left-0 overflow-hidden" style={{ width: `${part * 100}%` }}>
                <Star strokeWidth={1.5} className={classes('size-5', full)} />
              </span>
            )}
          </span>
        );
      })}
    </span>
  );
}
