import type { Organisation } from '@waybill/contract';

interface PageData {
  organisation: Organisation;
  /** Whether the server has a page on its API. */
  apiDocs: boolean;
  /** Scheme and host for links that people pass on; null where the server makes none. Only in the application. */
  links?: string | null;
}

/** Every page that the server sends carries it, so that nothing has to be asked for before the first paint. */
const text = typeof document === 'undefined' ? null : document.getElementById('page')?.textContent;

/** Undefined where no server has drawn the page: while developing, and on the server itself. */
export const pageData = text ? (JSON.parse(text) as PageData) : undefined;
