import { useSearch } from '@tanstack/react-router';
import type { PageSearches } from './routes.tsx';

/** The query string of the current page, parsed by its schema in routes.tsx. */
export const usePageSearch = <Name extends keyof PageSearches>(_page: Name) =>
  useSearch({ strict: false }) as unknown as PageSearches[Name];
