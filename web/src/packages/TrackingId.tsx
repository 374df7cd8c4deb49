import { classes } from '../ui/classes.ts';
import { CopyButton } from '../ui/CopyButton.tsx';

interface TrackingIdProps {
  id: string;
  /** `body` where it heads a page or card. */
  size?: 'meta' | 'body';
  href?: string;
  copyLabel?: string;
  copiedLabel?: string;
}

/**
 * A tracking ID with a copy button; the button is hidden in print and without JavaScript. A redacted ID (`PKG-…KYM`), of a package that
 * the reader may not see, has neither link nor button.
 */
export function TrackingId({
  id,
  size = 'meta',
  href,
  copyLabel = `Copy tracking ID ${id}`,
  copiedLabel,
}: TrackingIdProps) {
  const style = classes('code', size === 'body' ? 'text-body font-medium text-ink-2' : 'text-table');
  if (id.includes('…')) return <span className={style}>{id}</span>;
  return (
    <span className="inline-flex items-center">
      {href ? (
        <a href={href} className={classes(style, 'hover:underline')}>
          {id}
        </a>
      ) : (
        <span className={style}>{id}</span>
      )}
      {/* `relative` lifts the button above a row that is one link. */}
      <span className="relative -my-2 noscript:hidden print:hidden">
        <CopyButton text={id} label={copyLabel} copiedLabel={copiedLabel} />
      </span>
    </span>
  );
}
