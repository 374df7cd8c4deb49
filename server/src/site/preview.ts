import type { PreviewData } from '@waybill/contract';
import { LRUCache } from 'lru-cache';
import { openRenderThread } from '../platform/render-thread.ts';

/** A picture takes a tenth of a second of CPU; a chat asks for one when a link is sent. */
const render: (data: PreviewData) => Promise<Uint8Array> = openRenderThread(
  new URL('./preview-worker.ts', import.meta.url),
  {
    timeoutMs: 10_000,
    maxWaiting: 20,
  },
);

/** At 30 to 40 kB each: some 4 MB. The key is all that is drawn, so a picture is never stale. */
const pictures = new LRUCache<string, Promise<Uint8Array>>({ max: 100 });

/**
 * The picture of a link to a tracking page: PNG, 1200 x 630. Only what its public page shows to everybody, without recipient and place.
 * @throws unavailable when too many wait, or after 10 s
 */
export function renderPreview(data: PreviewData): Promise<Uint8Array> {
  const key = JSON.stringify(data);
  const known = pictures.get(key);
  if (known) return known;
  const picture = render(data);
  pictures.set(key, picture);
  picture.catch(() => pictures.delete(key));
  return picture;
}
