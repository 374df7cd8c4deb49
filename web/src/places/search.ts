import { object } from 'zod/mini';
import type { output } from 'zod/mini';
import { PagesParam, TextParam } from '../platform/search-params.ts';

/** URL parameters of the address book. */
export const AddressSearch = object({ q: TextParam, pages: PagesParam });
export type AddressSearch = output<typeof AddressSearch>;
