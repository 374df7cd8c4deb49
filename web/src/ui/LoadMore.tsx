import { fill } from '@waybill/contract';
import { formatCount } from '../platform/formats.ts';
import { translated } from '../platform/texts.ts';
import { Button } from './Button.tsx';
import { classes } from './classes.ts';

export interface LoadMoreProps {
  /** The number of loaded rows, and the total; null if unknown. */
  shown: number;
  total: number | null;
  /** There are more than `total`. */
  isCapped?: boolean;
  hasMore: boolean;
  loading: boolean;
  onLoad: () => void;
  /** One line at the left below a table, whose keys stand at the right of it. */
  isFoot?: boolean;
}

/** A list of so many rows needs no words on how many it shows. */
const shortList = 20;

/** The end of a paged list: 'Load more' and how many rows are shown. */
export function LoadMore({ shown, total, isCapped = false, hasMore, loading, onLoad, isFoot = false }: LoadMoreProps) {
  // The eye has counted it.
  const isShort = !isFoot && !hasMore && shown <= shortList;
  return (
    <div
      className={classes(
        'flex flex-col items-center gap-3 px-4',
        hasMore ? 'py-5' : !isShort && 'py-2',
        !isShort && !isFoot && 'border-t border-line',
        isFoot && 'md:flex-row md:px-5 md:py-2 md:pointer-fine:[&_button]:min-h-8',
      )}
    >
      {hasMore && (
        <Button variant="secondary" loading={loading} loadingText={translated('Loading...')} onClick={onLoad}>
          {translated('Load more')}
        </Button>
      )}
      <p role="status" className={classes('figures text-table text-ink-3', isShort && 'sr-only')}>
        {total === null
          ? fill(translated('{shown} shown'), { shown: formatCount(shown) })
          : fill(translated('Showing {shown} of {total}'), {
              shown: formatCount(shown),
              total: `${formatCount(Math.max(shown, total))}${isCapped ? '+' : ''}`,
            })}
      </p>
    </div>
  );
}
