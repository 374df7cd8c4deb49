import { PagesParam, searchOf, TextParam } from '../platform/search-params.ts';

/** URL parameters of the address book. */
export const AddressSearch = searchOf({ q: TextParam, pages: PagesParam });
export type AddressSearch = ReturnType<typeof AddressSearch>;
