import { Star } from 'lucide-react';
import { classes } from './classes.ts';

/** A rating in stars, read-only. */
export function Stars({ value }: { value: number }) {
  return (
    <span role="img" aria-label={`${value} of 5 stars`} className="inline-flex gap-0.5">
      {[1, 2, 3, 4, 5].map((star) => (
        <Star
          key={star}
          aria-hidden="true"
          strokeWidth={1.5}
          className={classes('size-5', star <= value ? 'fill-yellow-dot text-yellow-dot' : 'text-control')}
        />
      ))}
    </span>
  );
}
