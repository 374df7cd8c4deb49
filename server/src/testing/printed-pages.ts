import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

/** The resolution of common label printers. */
const dotsPerInch = 203;

interface PrintedPage {
  /** In mm. */
  width: number;
  height: number;
  text: string;
  codes: { format: string; text: string; y: number; box: Box }[];
  /** As printed: RGBA, row by row. */
  picture: { width: number; height: number; data: Uint8Array };
}

/** In pixels of the picture. */
interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** For tests: prints a PDF at the resolution of a label printer, and reads text and codes of each page. */
export async function readPages(pdf: Uint8Array): Promise<PrintedPage[]> {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
  prepareZXingModule({ overrides: { wasmBinary: wasm.buffer } });
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(pdf);
    const pages: PrintedPage[] = [];
    for (const page of document.pages()) {
      const [size, text] = [page.getOriginalSize(), page.getText()];
      const { width, height, data } = await page.render({ scale: dotsPerInch / 72, render: 'bitmap' });
      const image = { width, height, data: new Uint8ClampedArray(data), colorSpace: 'srgb' };
      const codes = await readBarcodes(image as Parameters<typeof readBarcodes>[0], {
        formats: ['QRCode', 'Code128'],
        maxNumberOfSymbols: 16,
        // By default two lines that agree are a barcode: at times it had a second reading, with wrong characters that its check digit does not show.
        minLineCount: 8,
      });
      pages.push({
        width: Math.round((size.originalWidth / 72) * 254) / 10,
        height: Math.round((size.originalHeight / 72) * 254) / 10,
        text,
        codes: codes.map(({ format, text, position }) => ({
          format,
          text,
          y: position.topLeft.y,
          box: boxOf(Object.values(position)),
        })),
        picture: { width, height, data },
      });
    }
    document.destroy();
    return pages;
  } finally {
    library.destroy();
  }
}

function boxOf(corners: { x: number; y: number }[]): Box {
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}
