import { packageStatuses } from '@waybill/contract';
import type { InventoryPlace, PackageStatus } from '@waybill/contract';

interface Column {
  label: string;
  /** The statuses it counts, as they stand in addresses; null for all of them. */
  status: string | null;
  of: readonly PackageStatus[];
}

/** What is in transit is called 'Out for Delivery' in all lists, as is the stop that is marked as next: one column. */
export const columns: readonly Column[] = [
  ...[
    ['Processing', 'processing'],
    ['Out for Delivery', 'in transit,out for delivery'],
    ['Delivered', 'delivered'],
    ['Cancelled', 'cancelled'],
    ['Deleted', 'inactive'],
  ].map(([label = '', status = '']) => ({
    label,
    status,
    of: packageStatuses.filter((one) => status.split(',').includes(one)),
  })),
  { label: 'Total', status: null, of: packageStatuses },
];

export const columnOf = (status: string | undefined): Column | undefined =>
  columns.find((column) => column.status === (status ?? null));

export const countOf = (counts: InventoryPlace['counts'], { of }: Column): number =>
  of.reduce((sum, status) => sum + counts[status], 0);

export const noLocation = 'No location';
