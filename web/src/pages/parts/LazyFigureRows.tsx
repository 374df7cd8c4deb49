import { importWithRetry } from '../../platform/import-with-retry.ts';
import { lazyComponent } from '../../platform/lazy-component.tsx';

/** The rows behind a figure, whose table is loaded when the first figure is opened. */
export const FigureRows = lazyComponent(() =>
  importWithRetry(() => import('../../stats/FigureRows.tsx')).then((module) => module.FigureRows),
);
