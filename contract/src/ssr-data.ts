import type { Organisation } from './settings.ts';
import type { PublicView } from './tracking.ts';

/** What came of asking for a tracking ID. */
export type Found = { view: PublicView } | { missing: true } | { failed: string; requestId: string | null };

/** A package of open-source software that Waybill is built with; `license` is its SPDX expression. */
export interface LicensedPackage {
  name: string;
  version: string;
  license: string;
}

/** The contact form, as it was opened or as it came back from being sent without JavaScript. */
export interface ContactPageData {
  name: 'contact';
  /** It has arrived. */
  sent?: boolean;
  /** What was typed, by field, when it has not. */
  typed?: Record<string, string>;
  /** One message for each faulty field. */
  faults?: Record<string, string>;
  /** Why the whole of it could not be taken. */
  failed?: string;
}

/** A page that the server draws and the browser goes on from, as plain data. */
export type PublicPageData =
  | { name: 'landing' | 'about' | 'terms' | 'privacy' | 'cookies' | 'not-found' }
  | {
      name: 'track';
      /** The ID in the address. */
      id?: string;
      found?: Found;
      /** What came from the form and cannot be an ID. */
      typed?: string;
    }
  | ContactPageData
  | { name: 'licenses'; packages: readonly LicensedPackage[] };

export interface PublicPageProps {
  /** The page's path, as the header sees it. */
  path: string;
  page: PublicPageData;
  organisation: Organisation;
  /** Whether `/api/docs` is served: only then does a page lead there. */
  apiDocs: boolean;
}

/** What every drawn page needs of the build. */
export interface PageAssets {
  /** Their text: they stand inside the page. */
  styles: string;
  /** The text of what puts a chosen theme on before the first paint. */
  theme: string;
  /** The address of what takes the page over. */
  script: string;
  fonts: readonly string[];
}

/** The built web application's side of the server: `web/src/render.tsx`. */
export interface PageRenderer {
  /** @param origin scheme and host for links in previews; null where it is not known. @returns an HTML document */
  renderDocument(props: PublicPageProps, assets: PageAssets, origin: string | null): string;
  /** The texts of the scripts that every document has inside, for its policy to allow these and no others. */
  inlineScripts(assets: PageAssets): string[];
  isApplicationPath(path: string): boolean;
}
