import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';

/** The dialog of an incident, loaded when the first one is opened: its forms are half of the dashboard's code. */
export const IncidentDialog = lazyComponent(() =>
  importWithRetry(() => import('./IncidentDialog.tsx')).then((module) => module.IncidentDialog),
);
