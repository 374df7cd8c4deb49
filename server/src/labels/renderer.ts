import { openRenderThread } from '../platform/render-thread.ts';
import type { LabelsToRender } from './pdf.ts';

/** Renders labels as PDF. The timeout is for 200 labels, which take about a second of CPU, on a very busy machine. */
export const renderLabels: (labels: LabelsToRender) => Promise<Uint8Array> = openRenderThread(
  new URL('./pdf-worker.ts', import.meta.url),
  { timeoutMs: 30_000 },
);
