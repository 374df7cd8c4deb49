import { packageStatuses } from '@waybill/contract';
import type { InventoryPlace, PackageStatus } from '@waybill/contract';

interface Column {
  label: string;
  /** Its statuses as the URL parameter, comma-separated; null for all. */
  status: string | null;
  statuses: readonly PackageStatus[];
}

/** 'in transit' and the next stop ('out for delivery') share a column: all lists call both 'Out for Delivery'. */
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
    statuses: packageStatuses.filter((one) => status.split(',').includes(one)),
  })),
  { label: 'Total', status: null, statuses: packageStatuses },
];

export const columnOf = (status: string | undefined): Column | undefined =>
  columns.find((column) => column.status === (status ?? null));

export const countOf = (counts: InventoryPlace['counts'], { statuses }: Column): number =>
  statuses.reduce((sum, status) => sum + counts[status], 0);

export const noLocation = 'No location';
