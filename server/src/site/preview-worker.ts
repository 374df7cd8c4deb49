import sharp from 'sharp';
import { answerRenderRequests } from '../platform/render-thread.ts';
import { drawPreview } from './preview-drawing.ts';

sharp.concurrency(1);
sharp.cache(false);
answerRenderRequests((data: Parameters<typeof drawPreview>[0]) =>
  sharp(Buffer.from(drawPreview(data)))
    .png({ compressionLevel: 9, palette: true, colours: 128 })
    .toBuffer(),
);
