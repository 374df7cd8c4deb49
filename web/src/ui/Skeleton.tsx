import { classes } from './classes.ts';

interface SkeletonProps {
  /** Tailwind width and height classes: 'w-40', 'h-4'. */
  width?: string;
  height?: string;
  /** Rounded like the content that replaces it. */
  shape?: 'text' | 'card' | 'round';
}

/** A grey placeholder for loading content. Invisible for the first 200 ms, so that fast responses do not flicker. */
export function Skeleton({ width = 'w-full', height = 'h-4', shape = 'text' }: SkeletonProps) {
  const radius = { text: 'rounded-control', card: 'rounded-card', round: 'rounded-full' }[shape];
  return (
    <span aria-hidden="true" className="block animate-appear">
      <span className={classes('block max-w-full bg-bone motion-safe:animate-pulse', radius, width, height)} />
    </span>
  );
}
