import type { Inventory, InventoryPlace } from '@waybill/contract';
import { formatCount } from '../platform/formats.ts';
import { classes } from '../ui/classes.ts';
import { columns, countOf, noLocation } from './columns.ts';
import type { InventorySearch } from './search.ts';

interface PlaceTableProps {
  places: readonly InventoryPlace[];
  totals: Inventory['totals'];
  search: InventorySearch;
  /** Null place: all places; null status: all statuses. */
  onChoose: (place: string | null, status: string | null) => void;
}

/** Table of places by status; each count opens its packages. On phones each place is a card. */
export function PlaceTable({ places, totals, search, onChoose }: PlaceTableProps) {
  const rows = [
    ...places.map(({ place, name, counts }) => ({ place, name: name ?? noLocation, counts })),
    { place: null, name: 'All places', counts: totals.counts },
  ];
  return (
    <table aria-label="Packages by place and status" className="w-full border-collapse text-left max-md:block">
      <thead className="max-md:sr-only">
        <tr className="border-b border-line text-table text-ink-3">
          <th scope="col" className="px-5 py-3 font-medium">
            Place
          </th>
          {columns.map(({ label }) => (
            <th key={label} scope="col" className="px-2 py-3 text-right font-medium last:pr-5">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line max-md:block">
        {rows.map(({ place, name, counts }) => (
          <tr
            key={place ?? 'all'}
            className={classes(
              'text-ui max-md:grid max-md:grid-cols-2 max-md:gap-x-4 max-md:px-5 max-md:py-3 md:hover:bg-sunken/50',
              place === null && 'border-t border-line font-semibold',
            )}
          >
            <th
              scope="row"
              className={classes(
                'wrap-anywhere max-md:col-span-2 md:px-5 md:py-1.5',
                place === null ? 'font-semibold' : 'font-medium',
                place === '' && 'text-ink-3',
              )}
            >
              {name}
            </th>
            {columns.map((column) => (
              <td key={column.label} className="md:px-2 md:py-1.5 md:text-right md:last:pr-5">
                <Count
                  label={column.label}
                  name={name}
                  count={countOf(counts, column)}
                  chosen={
                    (search.place ?? null) === place &&
                    (search.status ?? null) === column.status &&
                    (search.place !== undefined || search.status !== undefined)
                  }
                  onChoose={() => onChoose(place, column.status)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CountProps {
  label: string;
  name: string;
  count: number;
  chosen: boolean;
  onChoose: () => void;
}

function Count({ label, name, count, chosen, onChoose }: CountProps) {
  const before = <span className="font-normal text-ink-3 md:hidden">{label} </span>;
  if (count === 0) {
    return <span className="inline-flex min-h-9 items-center gap-1 figures text-ink-3">{before}0</span>;
  }
  return (
    <button
      type="button"
      aria-pressed={chosen}
      aria-label={`${name}, ${label}: ${count}`}
      onClick={onChoose}
      className={classes(
        '-mx-2 inline-flex min-h-9 items-center gap-1 rounded-control px-2 figures underline-offset-4 transition-colors hover:bg-sunken hover:underline',
        chosen && 'bg-brand-soft text-brand',
      )}
    >
      {before}
      {formatCount(count)}
    </button>
  );
}
