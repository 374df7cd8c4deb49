// Reads codes in pictures. First posts an empty list once it is ready, or null if it cannot be; then a list of texts for each picture.
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';

const ready = prepareZXingModule({
  // Its own default is a public CDN.
  overrides: { locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? wasmUrl : prefix + path) },
  fireImmediately: true,
});

ready.then(
  () => postMessage([]),
  () => postMessage(null),
);

addEventListener('message', ({ data }: MessageEvent<ImageData>) => {
  readBarcodes(data, { formats: ['QRCode', 'Code128'], maxNumberOfSymbols: 8 }).then(
    (found) => postMessage(found.map(({ text }) => text)),
    // One picture that could not be read: the next one may.
    () => postMessage([]),
  );
});
