import { withTheDriver, type Package } from '@waybill/contract';
import { formatDay, formatDayTime, localDay } from '../platform/formats.ts';

const side = (cm: number | null) => (cm === null ? '–' : String(cm));

/** 30 × 20 × – cm, in the order of the form. */
export const formatDimensions = ({ width, height, length }: NonNullable<Package['dimensions']>): string =>
  `${side(width)} × ${side(height)} × ${side(length)} cm`;

/** 24/11/2026 10:00–12:00; both dates when it ends on another day. */
export function formatWindow({ from, to }: NonNullable<Package['window']>): string {
  const sameDay = localDay(new Date(from)) === localDay(new Date(to));
  return sameDay
    ? `${formatDayTime(from)}–${formatDayTime(to).slice(formatDay(to).length + 1)}`
    : `${formatDayTime(from)} – ${formatDayTime(to)}`;
}

/** Where it is, in words. What failed at the door stays in the van until it is counted in. */
export const locationOf = ({ status, location }: Pick<Package, 'status' | 'location'>): string | null =>
  status === 'processing' && location === withTheDriver ? 'Still in the van' : location;
