import { useEffect } from 'react';

/** Names the browser's tab while the page is shown. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === 'Waybill' ? title : `${title} · Waybill`;
  }, [title]);
}
