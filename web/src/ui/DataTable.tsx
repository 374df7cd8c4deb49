import { ArrowDown, ArrowUp, ChevronDown, ChevronsUpDown } from 'lucide-react';
import { Fragment, useRef, useState } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { formatCount } from '../platform/formats.ts';
import { classes } from './classes.ts';
import { useCompactRows } from './density.ts';
import { LoadMore } from './LoadMore.tsx';
import type { LoadMoreProps } from './LoadMore.tsx';
import { RowKeys } from './RowKeys.tsx';
import { Select } from './Select.tsx';
import { TickBox } from './TickBox.tsx';
import { useLongPress } from './useLongPress.ts';
import type { Selection } from './useSelection.ts';

export interface Column<T> {
  id: string;
  title: string;
  /** The title is for screen readers only. */
  untitled?: boolean;
  /** The name that the server sorts by; without it the column has no button. */
  sort?: string;
  /** Numbers: aligned at the right, in figures of one width. */
  numeric?: boolean;
  /** Classes of the head and of every cell: width, and from which width of the window it is shown. */
  className?: string;
  /** Its place in the two lines that a row has on a phone; without one it is not shown there. */
  phone?: 'picture' | 'title' | 'detail' | 'end' | 'end detail';
  cell: (row: T) => ReactNode;
}

export interface RowGroup<T> {
  id: string;
  title: string;
  /** How many rows the group has, loaded or not; `+` when there are more than are known. */
  count: string;
  /** At the right of its title. */
  remark?: ReactNode;
  rows: readonly T[];
}

interface DataTableProps<T> {
  /** The accessible name of the table, and of one row: `nameOf`. */
  label: string;
  columns: readonly Column<T>[];
  groups: readonly RowGroup<T>[];
  idOf: (row: T) => string;
  nameOf: (row: T) => string;
  /** Without one, no row can be selected. */
  selection?: Selection;
  /** `name` or `-name`: the column that the list is sorted by, and `-` for the other direction. */
  sort?: string | undefined;
  onSort?: (sort: string | undefined) => void;
  /** The row that is open in the panel beside the table. */
  openId?: string | undefined;
  /** Opens a row. `replace`: another one is open already. Without it, rows are not opened. */
  onOpen?: (id: string, replace: boolean) => void;
  /** The page of a row, for its link, if it has one; with it, a click with a modifier key opens a tab. */
  hrefOf?: (row: T) => string | undefined;
  /** The Menu at the end of a row. */
  renderMenu?: (row: T) => ReactNode;
  /** Shows the title of the menus' column. */
  titlesMenus?: boolean;
  /** False for a second table of a page: keys belong to one. */
  hasKeys?: boolean;
  /** Of a paged list: how many rows are shown, and more of them. */
  more?: Omit<LoadMoreProps, 'isFoot'>;
}

/** Where each part of a row is on a phone. */
const phonePlaces = {
  picture: 'max-md:col-start-2 max-md:row-span-2 max-md:row-start-1 max-md:mr-3',
  title: 'max-md:col-start-3 max-md:row-start-1 max-md:self-end',
  detail: 'max-md:col-start-3 max-md:row-start-2 max-md:self-start',
  end: 'max-md:col-start-4 max-md:row-start-1 max-md:ml-2 max-md:self-end max-md:text-right',
  'end detail': 'max-md:col-start-4 max-md:row-start-2 max-md:ml-2 max-md:self-start max-md:justify-self-end',
};

const menuPlace = 'w-12 max-md:col-start-5 max-md:row-span-2 max-md:row-start-1 max-md:w-auto';

const placeOf = <T,>({ phone, numeric, className }: Column<T>) =>
  classes(className, phone ? phonePlaces[phone] : 'max-md:hidden', numeric && 'text-right figures');

/**
 * One table for all lists: columns, sorting, groups, selection and rows that open beside it. What it shows is decided by its caller and
 * kept in the URL. On a phone each row has two lines.
 */
export function DataTable<T>({
  label,
  columns,
  groups,
  idOf,
  nameOf,
  selection,
  sort,
  onSort,
  openId,
  onOpen,
  hrefOf,
  renderMenu,
  titlesMenus = false,
  hasKeys = true,
  more,
}: DataTableProps<T>) {
  const compact = useCompactRows();
  const table = useRef<HTMLTableElement>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const rows = groups.flatMap((group) => group.rows);
  const selected = rows.filter((row) => selection?.has(idOf(row))).length;
  const width = columns.length + (selection ? 1 : 0) + (renderMenu ? 1 : 0);
  const fold = (id: string) =>
    setFolded((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));

  const press = useLongPress((id) => selection?.toggle(id));

  const open = (row: T) => (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    // By touch, once something is selected a tap selects more.
    if (selection && selected > 0 && press.isTouch()) {
      event.preventDefault();
      return selection.toggle(idOf(row));
    }
    if (!onOpen) return;
    event.preventDefault();
    onOpen(idOf(row), openId !== undefined);
  };

  const rowOf = (row: T) => {
    const id = idOf(row);
    const isSelected = selection?.has(id) ?? false;
    return (
      <tr
        key={id}
        data-row={id}
        {...(selection && press.handlersOf(id))}
        data-open={id === openId || undefined}
        className={classes(
          selection && 'pointer-coarse:select-none pointer-coarse:[-webkit-touch-callout:none]',
          'group/row relative border-b border-line transition-colors last:border-b-0',
          'max-md:grid max-md:min-h-17 max-md:grid-cols-[auto_auto_minmax(0,1fr)_auto_auto] max-md:content-center max-md:items-center max-md:gap-y-0.5 max-md:px-(--row-edge,1rem) max-md:py-2.5',
          compact ? 'md:h-8.75' : 'md:h-9.75',
          // The focused and the open row have a line at their left.
          'focus-within:shadow-[inset_2px_0_var(--color-brand)] data-open:shadow-[inset_2px_0_var(--color-brand)]',
          isSelected || id === openId ? 'bg-brand-soft' : 'hover:bg-sunken/50 focus-within:bg-brand-soft/60',
        )}
      >
        {selection && (
          <td
            className={classes(
              'w-11 md:pl-3',
              'max-md:col-start-1 max-md:row-span-2 max-md:-ml-3 max-md:w-13',
              selected === 0 && 'max-md:hidden',
            )}
          >
            {/* Above the link that covers the row. */}
            <span className="relative z-1 block w-fit">
              <TickBox
                label={`Select ${nameOf(row)}`}
                checked={isSelected}
                onToggle={(range) => selection.toggle(id, range)}
              />
            </span>
          </td>
        )}
        {columns.map((column, index) => {
          const isTitle = column.phone === 'title';
          const Cell = isTitle ? 'th' : 'td';
          const href = isTitle ? hrefOf?.(row) : undefined;
          const isLink = href !== undefined || (isTitle && onOpen !== undefined);
          return (
            <Cell
              key={column.id}
              scope={isTitle ? 'row' : undefined}
              className={classes(
                placeOf(column),
                // On a phone the box takes the picture's place, so that no word gets shorter.
                column.phone === 'picture' && selected > 0 && 'max-md:hidden',
                'min-w-0 text-left font-normal md:px-2.5 md:first:pl-5 md:last:pr-5',
                index === 0 && !selection && 'md:pl-5',
              )}
            >
              {isLink ? (
                href !== undefined ? (
                  <a
                    data-row-link
                    href={href}
                    onClick={open(row)}
                    className="block outline-none after:absolute after:inset-0 after:content-['']"
                  >
                    {column.cell(row)}
                  </a>
                ) : (
                  <button
                    type="button"
                    data-row-link
                    onClick={open(row)}
                    className="block w-full text-left outline-none after:absolute after:inset-0 after:content-['']"
                  >
                    {column.cell(row)}
                  </button>
                )
              ) : (
                column.cell(row)
              )}
            </Cell>
          );
        })}
        {renderMenu && (
          <td className={classes(menuPlace, 'md:pr-5')}>
            {/* Above the link that covers the row. */}
            {/* A button with a word is lower than its row, so that those of two rows do not touch. */}
            <span className="relative z-1 flex justify-end [&_button[aria-haspopup]]:-mr-2 max-md:[&_button[aria-haspopup]]:-mr-3 md:-my-1 md:pointer-fine:[&_button]:min-h-7.5">
              {renderMenu(row)}
            </span>
          </td>
        )}
      </tr>
    );
  };

  const sortable = onSort ? columns.filter((column) => column.sort !== undefined) : [];
  return (
    <>
      {sortable.length > 0 && (
        <div className="flex items-center justify-between gap-3 border-b border-line px-(--row-edge,1rem) py-1 md:hidden print:hidden">
          <span aria-hidden="true" className="text-table text-ink-3">
            Sort by
          </span>
          <Select
            aria-label="Sort by"
            size="sm"
            options={[
              { value: '', label: 'Usual order' },
              ...sortable.flatMap(({ title, sort: name = '' }) => [
                { value: name, label: `${title}, ascending` },
                { value: `-${name}`, label: `${title}, descending` },
              ]),
            ]}
            value={sort ?? ''}
            onValueChange={(chosen) => onSort?.(chosen || undefined)}
          />
        </div>
      )}
      <table ref={table} aria-label={label} className="w-full border-collapse text-table max-md:block">
        <thead className="max-md:sr-only">
          <tr>
            {selection && (
              <HeadCell className="w-11 pl-3">
                <TickBox
                  label="Select all rows"
                  checked={selected === 0 ? false : selected === rows.length ? true : 'mixed'}
                  onToggle={selection.toggleLoaded}
                />
              </HeadCell>
            )}
            {columns.map((column) => (
              <HeadCell
                key={column.id}
                className={classes(placeOf(column), 'px-2.5 first:pl-5 last:pr-5')}
                direction={directionOf(column.sort, sort)}
              >
                {column.sort && onSort ? (
                  <>
                    <span className="md:hidden">{column.title}</span>
                    <SortButton
                      direction={directionOf(column.sort, sort)}
                      numeric={column.numeric ?? false}
                      onClick={() => onSort(nextSort(column.sort ?? '', sort))}
                    >
                      {column.title}
                    </SortButton>
                  </>
                ) : (
                  <span className={column.untitled ? 'sr-only' : undefined}>{column.title}</span>
                )}
              </HeadCell>
            ))}
            {renderMenu && (
              <HeadCell className={classes(menuPlace, titlesMenus && 'pr-5 text-right!')}>
                <span className={titlesMenus ? undefined : 'sr-only'}>Actions</span>
              </HeadCell>
            )}
          </tr>
        </thead>
        {groups.map((group) => {
          const isFolded = folded.has(group.id);
          return (
            <Fragment key={group.id}>
              {group.title !== '' && (
                <tbody className="max-md:block">
                  <tr className="max-md:block">
                    {/* Its label is deeper than the rule looks. */}
                    {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label */}
                    <th
                      scope="rowgroup"
                      colSpan={width}
                      className="sticky top-[calc(var(--frame-top,4rem)+2.25rem)] z-9 h-8 border-y border-line bg-canvas p-0 text-left font-normal max-md:top-(--frame-top,4rem) max-md:block"
                    >
                      <span className="flex items-center gap-2 px-4 max-md:px-(--row-edge,1rem)">
                        <button
                          type="button"
                          aria-expanded={!isFolded}
                          onClick={() => fold(group.id)}
                          className="-ml-1 flex min-h-8 items-center gap-2 rounded-control px-1 pointer-coarse:min-h-11"
                        >
                          <ChevronDown
                            aria-hidden="true"
                            className={classes('size-4 text-ink-3 transition-transform', isFolded && '-rotate-90')}
                          />
                          <span className="font-semibold text-ink">{group.title}</span>
                          <span className="figures text-ink-3">{group.count}</span>
                        </button>
                        <span className="ml-auto text-ink-3 figures">{group.remark}</span>
                      </span>
                    </th>
                  </tr>
                </tbody>
              )}
              <tbody className="max-md:block">{!isFolded && group.rows.map(rowOf)}</tbody>
            </Fragment>
          );
        })}
      </table>
      {(hasKeys || more) && (
        <div
          className={classes(
            'flex items-center justify-between border-t border-line max-md:justify-center',
            !more && 'max-md:hidden pointer-coarse:hidden print:hidden',
          )}
        >
          {more && <LoadMore {...more} isFoot />}
          {hasKeys && <RowKeys table={table} openId={openId} onOpen={onOpen} selects={selection !== undefined} />}
        </div>
      )}
    </>
  );
}

/** One group without a title, for lists without groups. */
export const ungrouped = <T,>(rows: readonly T[]): RowGroup<T>[] => [
  { id: 'all', title: '', count: formatCount(rows.length), rows },
];

type Direction = 'ascending' | 'descending' | undefined;

const directionOf = (column: string | undefined, sort: string | undefined): Direction =>
  column === undefined || sort === undefined
    ? undefined
    : sort === column
      ? 'ascending'
      : sort === `-${column}`
        ? 'descending'
        : undefined;

/** Ascending, descending, then the usual order again. */
const nextSort = (column: string, sort: string | undefined): string | undefined =>
  sort === column ? `-${column}` : sort === `-${column}` ? undefined : column;

interface HeadCellProps {
  className: string;
  direction?: Direction;
  children: ReactNode;
}

const HeadCell = ({ className, direction, children }: HeadCellProps) => (
  <th
    scope="col"
    aria-sort={direction}
    className={classes(
      className,
      'sticky top-(--frame-top,4rem) z-10 h-9 bg-surface text-left text-meta font-medium whitespace-nowrap text-ink-3 shadow-[inset_0_-1px_var(--color-line)] md:first:rounded-tl-card md:last:rounded-tr-card',
    )}
  >
    {children}
  </th>
);

interface SortButtonProps {
  direction: Direction;
  numeric: boolean;
  onClick: () => void;
  children: ReactNode;
}

function SortButton({ direction, numeric, onClick, children }: SortButtonProps) {
  const Arrow = direction === 'ascending' ? ArrowUp : direction === 'descending' ? ArrowDown : ChevronsUpDown;
  return (
    <button
      type="button"
      onClick={onClick}
      className={classes(
        'inline-flex min-h-8 items-center gap-1 rounded-control hover:text-ink max-md:hidden',
        numeric && 'flex-row-reverse',
        direction && 'font-semibold text-ink',
      )}
    >
      {children}
      <Arrow aria-hidden="true" className="size-3" />
    </button>
  );
}
