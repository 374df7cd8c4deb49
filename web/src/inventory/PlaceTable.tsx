import type { Inventory, InventoryPlace } from '@waybill/contract';
import { formatCount } from '../platform/formats.ts';
import { classes } from '../ui/classes.ts';
import { DataTable, ungrouped } from '../ui/DataTable.tsx';
import type { Column } from '../ui/DataTable.tsx';
import type { LoadMoreProps } from '../ui/LoadMore.tsx';
import { columns, countOf, noLocation } from './columns.ts';
import type { InventorySearch } from './search.ts';

interface PlaceTableProps {
  places: readonly InventoryPlace[];
  totals: Inventory['totals'];
  search: InventorySearch;
  /** Null place: all places; null status: all statuses. */
  onChoose: (place: string | null, status: string | null) => void;
  more: Omit<LoadMoreProps, 'isFoot'>;
}

interface PlaceRow {
  /** Null: all places. */
  place: string | null;
  name: string;
  counts: InventoryPlace['counts'];
}

/** Places by status; each count opens its packages. On a phone a place opens all of its packages. */
export function PlaceTable({ places, totals, search, onChoose, more }: PlaceTableProps) {
  const rows: PlaceRow[] = [
    ...places.map(({ place, name, counts }) => ({ place, name: name ?? noLocation, counts })),
    { place: null, name: 'All places', counts: totals.counts },
  ];
  return (
    <DataTable
      label="Packages by place and status"
      columns={columnsOf(search, onChoose)}
      groups={ungrouped(rows)}
      idOf={({ place }) => (place === null ? 'all' : `place ${place}`)}
      nameOf={({ name }) => name}
      // The packages of the chosen count are a table of their own.
      hasKeys={
        search.place === undefined &&
        search.status === undefined &&
        search.find === undefined &&
        !search.failed &&
        !search.overdue &&
        !search.atRisk &&
        !search.needsPin
      }
      onOpen={(id) => onChoose(id === 'all' ? null : id.slice('place '.length), null)}
      more={more}
    />
  );
}

function columnsOf(search: InventorySearch, onChoose: PlaceTableProps['onChoose']): Column<PlaceRow>[] {
  const chosen = search.place !== undefined || search.status !== undefined;
  return [
    {
      id: 'place',
      title: 'Place',
      className: 'md:w-[34%] md:max-w-0',
      phone: 'title',
      cell: ({ place, name }) => (
        <span
          className={classes(
            'block truncate max-md:text-[0.9375rem]',
            place === null ? 'font-semibold' : 'font-medium',
            place === '' ? 'text-ink-3' : 'text-ink',
          )}
          title={name}
        >
          {name}
        </span>
      ),
    },
    {
      id: 'open',
      title: 'By status',
      untitled: true,
      className: 'md:hidden',
      phone: 'detail',
      cell: ({ counts }) => (
        <span className="block text-ink-2">
          {columns
            .filter((column) => column.status !== null && countOf(counts, column) > 0)
            // A number stays beside its status where the line breaks.
            .map((column) => `${column.label} ${formatCount(countOf(counts, column))}`.replaceAll(' ', '\u00a0'))
            .join(' · ')}
        </span>
      ),
    },
    ...columns.map((column): Column<PlaceRow> => ({
      id: column.label,
      title: column.label,
      numeric: true,
      phone: column.status === null ? 'end' : undefined,
      cell: ({ place, name, counts }) => (
        <Count
          label={column.label}
          name={name}
          count={countOf(counts, column)}
          chosen={chosen && (search.place ?? null) === place && (search.status ?? null) === column.status}
          onChoose={() => onChoose(place, column.status)}
        />
      ),
    })),
  ];
}

interface CountProps {
  label: string;
  name: string;
  count: number;
  chosen: boolean;
  onChoose: () => void;
}

function Count({ label, name, count, chosen, onChoose }: CountProps) {
  if (count === 0) return <span className="text-ink-3">0</span>;
  return (
    <button
      type="button"
      aria-pressed={chosen}
      aria-label={`${name}, ${label}: ${count}`}
      onClick={onChoose}
      className={classes(
        // Above the link that covers the row.
        'relative z-1 -mx-2 -my-1 max-md:-my-3 inline-flex min-h-8 items-center rounded-control px-2 underline-offset-4 transition-colors hover:bg-sunken hover:underline pointer-coarse:min-h-11',
        chosen && 'bg-brand-soft text-brand',
      )}
    >
      {formatCount(count)}
    </button>
  );
}
