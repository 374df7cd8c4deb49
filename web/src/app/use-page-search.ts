import { useSearch } from '@tanstack/react-router';
import type { PageSearches } from './routes.tsx';

/** What stands behind the '?' of the page that asks, as its schema in routes.tsx has read it. */
export const usePageSearch = <Name extends keyof PageSearches>(_page: Name) =>
  useSearch({ strict: false }) as unknown as PageSearches[Name];
