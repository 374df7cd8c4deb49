/** Reads the texts of all QR codes and Code 128 bar codes in a picture of the camera. */
export interface CodeReader {
  read(video: HTMLVideoElement): Promise<string[]>;
  close(): void;
}

/** Of the Shape Detection API, which Chrome has on Android and macOS. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

const formats = ['qr_code', 'code_128'];

/** The browser's own reader where it knows both codes, else ours: 370 kB, loaded now. @throws when that cannot be loaded */
export async function openCodeReader(): Promise<CodeReader> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass };
  const known = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? [];
  if (!BarcodeDetector || !formats.every((format) => known.includes(format))) return openWorker();
  const detector = new BarcodeDetector({ formats });
  return {
    read: async (video) => (await detector.detect(video)).map(({ rawValue }) => rawValue),
    close: () => {},
  };
}

/** Enough for a bar code that fills half of the picture; more takes longer to read. */
const maxWidth = 1280;

/** In a worker: reading takes up to 50 ms a picture, and WebAssembly is allowed in there alone. */
async function openWorker(): Promise<CodeReader> {
  const worker = new Worker(new URL('decode-worker.ts', import.meta.url), { type: 'module' });
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const answer = () =>
    new Promise<string[]>((resolve, reject) => {
      const refuse = () => reject(new Error('the reader could not be loaded'));
      worker.addEventListener(
        'message',
        ({ data }: MessageEvent<string[] | null>) => (data ? resolve(data) : refuse()),
        { once: true },
      );
      worker.addEventListener('error', refuse, { once: true });
    });
  try {
    await answer();
  } catch (error) {
    worker.terminate();
    throw error;
  }
  return {
    async read(video) {
      const scale = Math.min(1, maxWidth / video.videoWidth);
      canvas.width = video.videoWidth * scale;
      canvas.height = video.videoHeight * scale;
      if (!context || canvas.width === 0 || canvas.height === 0) return [];
      context.drawImage(video, 0, 0, canvas.width, canvas.height);
      const picture = context.getImageData(0, 0, canvas.width, canvas.height);
      const texts = answer();
      worker.postMessage(picture, [picture.data.buffer]);
      return texts;
    },
    close: () => worker.terminate(),
  };
}
