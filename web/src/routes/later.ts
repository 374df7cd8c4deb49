import { maxTried } from '@waybill/contract';
import { formatCount } from '../platform/formats.ts';

/** How many are proposed for a later day, as the server counts them: '5,000+' where it looked at no more. */
export const countOfLater = (later: number): string =>
  later > maxTried ? `${formatCount(maxTried)}+` : formatCount(later);

/** How many packages are left without those for a later day; at most, where these were not all counted. */
export const withoutLater = (packages: number, later: number): number =>
  later > maxTried ? packages : Math.max(0, packages - later);
