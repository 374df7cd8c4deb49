import { classes } from '../ui/classes.ts';
import { CopyButton } from '../ui/CopyButton.tsx';

interface TrackingIdProps {
  id: string;
  /** Larger, where it is the head of something. */
  size?: 'meta' | 'body';
}

/** A tracking ID, and the button that copies it: people pass it on. On paper there is nothing to press. */
export function TrackingId({ id, size = 'meta' }: TrackingIdProps) {
  return (
    <span className="inline-flex items-center">
      <span className={classes('code', size === 'body' ? 'text-body font-medium text-ink-2' : 'text-table')}>{id}</span>
      {/* Above a row that is a link as a whole. */}
      <span className="relative -my-2 print:hidden">
        <CopyButton text={id} label={`Copy tracking ID ${id}`} />
      </span>
    </span>
  );
}
