import type { Language, Organisation } from '@waybill/contract';

interface PageData {
  organisation: Organisation;
  /** Whether the server serves its API reference. */
  apiDocs: boolean;
  /** Scheme and host for shareable links; null if the server creates none. Only in the application. */
  links?: string | null;
  /** The language that the request prefers, and all that are offered. */
  language: string;
  languages: readonly Language[];
}

/** Embedded in every page that the server sends, so that the first paint needs no request. */
const text = typeof document === 'undefined' ? null : document.getElementById('page')?.textContent;

/** Undefined if the page did not come from the server: in the development server, and during server-side rendering. */
export const pageData = text ? (JSON.parse(text) as PageData) : undefined;
