import { useEffect } from 'react';
import { useOrganisation } from './organisation.ts';

/** Sets the title of the browser tab: `title · organisation`, or the organisation's name alone. */
export function usePageTitle(title?: string): void {
  const { name } = useOrganisation();
  useEffect(() => {
    document.title = title === undefined ? name : `${title} · ${name}`;
  }, [title, name]);
}
