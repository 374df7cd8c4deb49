import { classes } from '../ui/classes.ts';
import { CopyButton } from '../ui/CopyButton.tsx';

interface TrackingIdProps {
  id: string;
  /** Larger, where it is the head of something. */
  size?: 'meta' | 'body';
  /** Where it leads. */
  href?: string;
}

/**
 * A tracking ID, and the button that copies it: people pass it on. Not on paper, and not where no script runs. Of a package that its
 * reader may not see it is the end only (`PKG-…KYM`), which leads nowhere.
 */
export function TrackingId({ id, size = 'meta', href }: TrackingIdProps) {
  const look = classes('code', size === 'body' ? 'text-body font-medium text-ink-2' : 'text-table');
  if (id.includes('…')) return <span className={look}>{id}</span>;
  return (
    <span className="inline-flex items-center">
      {href ? (
        <a href={href} className={classes(look, 'hover:underline')}>
          {id}
        </a>
      ) : (
        <span className={look}>{id}</span>
      )}
      {/* Above a row that is a link as a whole. */}
      <span className="relative -my-2 noscript:hidden print:hidden">
        <CopyButton text={id} label={`Copy tracking ID ${id}`} />
      </span>
    </span>
  );
}
