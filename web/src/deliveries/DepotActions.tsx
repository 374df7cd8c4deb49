import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { useCan } from '../users/useCan.ts';
import type { DepotButtonsProps } from './DepotButtons.tsx';

const DepotButtons = lazyComponent(() =>
  importWithRetry(() => import('./DepotButtons.tsx')).then((module) => module.DepotButtons),
);

/** What staff does to a delivery without its driver, loaded for those who may. */
export function DepotActions(props: DepotButtonsProps) {
  const may = useCan({ permissions: ['deliveries.assign'] });
  return may ? <DepotButtons {...props} /> : null;
}
