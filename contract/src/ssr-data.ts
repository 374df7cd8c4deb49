import type { Organisation } from './settings.ts';
import type { PublicView } from './tracking.ts';

/** The result of looking up a tracking ID. */
export type TrackingLookup = { view: PublicView } | { missing: true } | { failed: string; requestId: string | null };

/** An open-source package that Waybill is built with; `license` is an SPDX expression. */
export interface LicensedPackage {
  name: string;
  version: string;
  license: string;
}

/** A form for a message, empty or after a submission without JavaScript. */
export interface MessageFormState {
  /** The message was accepted. */
  sent?: boolean;
  /** The submitted values by field, if it was not accepted. */
  typed?: Record<string, string>;
  /** One message for each invalid field. */
  faults?: Record<string, string>;
  /** The error of the submission as a whole. */
  failed?: string;
}

export interface ContactPageData extends MessageFormState {
  name: 'contact';
}

/** The plain data of a server-rendered page; the browser hydrates the page with the same data. */
export type PublicPageData =
  | { name: 'landing' | 'about' | 'terms' | 'privacy' | 'cookies' | 'not-found' }
  | {
      name: 'track';
      /** The ID in the URL. */
      id?: string;
      found?: TrackingLookup;
      /** The input of the form, if it is not a valid ID. */
      typed?: string;
      /** The form for a message to the sender. */
      message?: MessageFormState;
    }
  | ContactPageData
  | { name: 'licenses'; packages: readonly LicensedPackage[] };

export interface PublicPageProps {
  /** The page's path, for the header. */
  path: string;
  page: PublicPageData;
  organisation: Organisation;
  /** Whether `/api/docs` is served: only then do pages link to it. */
  apiDocs: boolean;
  /** The code of the page's language, and all that are offered. */
  language: string;
  languages: readonly Language[];
}

/** A language of the texts: its code, and its name as its speakers call it. */
export interface Language {
  code: string;
  name: string;
}

/** What every server-rendered page needs from the build. */
export interface PageAssets {
  /** The CSS text of every page, which is inlined, and what single pages have beside it. */
  styles: string;
  stylesOf: Readonly<Partial<Record<PublicPageData['name'], string>>>;
  /** The text of the inline script that applies the chosen theme before the first paint. */
  theme: string;
  /** The URLs of the scripts that hydrate a page: its entry point and all that this imports. */
  scripts: Readonly<Partial<Record<PublicPageData['name'], readonly string[]>>>;
  /** The URL of the texts of each language, by its code. */
  texts: Readonly<Record<string, string>>;
  fonts: readonly string[];
}

/** What the picture of a link preview shows of a package. */
export interface PreviewData {
  organisation: string;
  /** The organisation has a logo of its own: the product's mark is left out. */
  hasLogo: boolean;
  trackingId: string;
  /** The answer in two lines. */
  lead: string;
  main: string;
  status: string;
  /** In percent. */
  progress: number;
  tint: 'blue' | 'yellow' | 'green' | 'grey';
  steps: readonly string[];
}

/** Server-side rendering, exported by the web build: `web/src/render.tsx`. */
export interface PageRenderer {
  /** @param origin scheme and host for absolute URLs in link previews, null if unknown. @returns an HTML document */
  renderDocument(props: PublicPageProps, assets: PageAssets, origin: string | null): string;
  /** The texts of the inline scripts of a document, for their hashes in the Content-Security-Policy. */
  inlineScripts(assets: PageAssets, language: string, page: PublicPageData['name']): string[];
  /** The texts of a link preview. It names neither recipient nor place. */
  previewOf(view: PublicView, organisation: Organisation): PreviewData;
  /** The names of the chunks of code that a page of the application needs first, and `?area` of the texts it needs in the reader's language; null if there is no page at this path. */
  chunksOf(path: string): string[] | null;
}
