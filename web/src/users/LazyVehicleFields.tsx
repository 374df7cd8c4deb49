import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';

/** Only drivers have them. */
export const VehicleFields = lazyComponent(() =>
  importWithRetry(() => import('./VehicleFields.tsx')).then((module) => module.VehicleFields),
);
