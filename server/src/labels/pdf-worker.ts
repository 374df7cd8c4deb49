import { parentPort } from 'node:worker_threads';
import { writeLabels, type LabelsToRender } from './pdf.ts';

export interface RenderRequest {
  id: number;
  labels: LabelsToRender;
}
export type RenderResponse = { id: number; bytes: Uint8Array } | { id: number; reason: string };

parentPort?.on('message', ({ id, labels }: RenderRequest) => {
  void writeLabels(labels).then(
    (bytes) => parentPort?.postMessage({ id, bytes } satisfies RenderResponse),
    (error: unknown) =>
      parentPort?.postMessage({
        id,
        reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
      } satisfies RenderResponse),
  );
});
