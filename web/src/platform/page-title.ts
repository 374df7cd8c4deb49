import { useEffect } from 'react';
import { useOrganisation } from './organisation.ts';

/** Names the browser's tab while the page is shown; without a title of its own it has the organisation's name alone. */
export function usePageTitle(title?: string): void {
  const { name } = useOrganisation();
  useEffect(() => {
    document.title = title === undefined ? name : `${title} · ${name}`;
  }, [title, name]);
}
