import type { Organisation, PageAssets, PageRenderer, PublicPageData, PublicPageProps } from '@waybill/contract';
import { renderToString } from 'react-dom/server';
import { pageAt } from './app/pages.ts';
import { statusStyle } from './packages/status.ts';
import { PublicPage } from './PublicPage.tsx';
import { titleOf } from './tracking/arrival.ts';

/** Renders a public page to HTML on the server; hydrate.tsx hydrates it in the browser. */
export const renderDocument: PageRenderer['renderDocument'] = (props, assets, origin) =>
  `<!doctype html>${renderToString(<Document {...props} {...assets} origin={origin} />)}`;

export const inlineScripts: PageRenderer['inlineScripts'] = ({ theme, script }) => [theme, hydrateAfterPaint(script)];

export const chunksOf: PageRenderer['chunksOf'] = (path) => {
  const page = pageAt(path);
  return page ? [page.component, ...(typeof page.for === 'object' ? ['session'] : [])] : null;
};

/**
 * The page is readable without JavaScript, so its hydration script is loaded only after the first paint and never delays it. The 3 s
 * timer is for browsers that do not report paint timing.
 */
const hydrateAfterPaint = (script: string) =>
  `{const start=()=>import(${JSON.stringify(script)});setTimeout(start,3000);new PerformanceObserver(start).observe({type:'paint',buffered:true})}`;

function Document({
  path,
  page,
  organisation,
  apiDocs,
  origin,
  ...assets
}: PublicPageProps & PageAssets & { origin: string | null }) {
  const { title, description } = metadataOf(page, organisation);
  const [theme = '', hydrationScript = ''] = inlineScripts(assets);
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#F7F8FA" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0A0D13" media="(prefers-color-scheme: dark)" />
        <title>{title}</title>
        <meta name="description" content={description} />
        {page.name === 'track' && page.id && <meta name="robots" content="noindex" />}
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content={organisation.name} />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        <meta name="twitter:card" content="summary" />
        {origin && <meta property="og:url" content={origin + path} />}
        {origin && organisation.logo && <meta property="og:image" content={origin + organisation.logo} />}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {assets.fonts
          .filter((href) => !href.includes('mono') || hasCodes(page))
          .map((href) => (
            <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
          ))}
        <style dangerouslySetInnerHTML={{ __html: assets.styles }} />
        <script dangerouslySetInnerHTML={{ __html: theme }} />
      </head>
      <body>
        <div id="root">
          <PublicPage path={path} page={page} organisation={organisation} apiDocs={apiDocs} />
        </div>
        <script
          id="page"
          type="application/json"
          dangerouslySetInnerHTML={{
            __html: JSON.stringify({ path, page, organisation, apiDocs }).replaceAll('<', '\\u003c'),
          }}
        />
        <script dangerouslySetInnerHTML={{ __html: hydrationScript }} />
      </body>
    </html>
  );
}

/** Whether a page shows codes and needs the monospaced font. An unused preload would delay the resources that are needed. */
const hasCodes = ({ name }: PublicPageData) => ['landing', 'track', 'contact', 'not-found'].includes(name);

/** Title and description by page. Without a title the page has the organisation's name alone. */
const texts: Record<PublicPageData['name'], { title?: string; description: string }> = {
  landing: { description: 'Register packages, deliver them and follow them live.' },
  track: { title: 'Track Your Package', description: 'Enter a tracking ID and see where the package is, live.' },
  about: { title: 'About Us', description: 'What Waybill is, how it works and what a visitor can see.' },
  contact: { title: 'Contact', description: 'Who can help with a package or an account.' },
  terms: { title: 'Terms of Service', description: 'What operator and users may expect of each other.' },
  privacy: { title: 'Privacy Policy', description: 'What is stored, who sees it, and when it goes.' },
  cookies: { title: 'Cookie Policy', description: 'Waybill sets no cookies.' },
  licenses: { title: 'Licenses', description: 'The open-source software that Waybill stands on.' },
  'not-found': { title: 'Package Not Found', description: 'There is no page at this address.' },
};

/** Title and description for link previews. Of a package they disclose only what its public page shows. */
function metadataOf(page: PublicPageData, organisation: Organisation): { title: string; description: string } {
  const withOrganisation = (title?: string) =>
    title === undefined ? organisation.name : `${title} · ${organisation.name}`;
  const { title, description } = texts[page.name];
  if (page.name !== 'track' || !page.id) return { title: withOrganisation(title), description };
  const view = page.found && 'view' in page.found ? page.found.view : null;
  if (!view) return { title: withOrganisation(`Track ${page.id.toUpperCase()}`), description };
  const location = view.location === null ? '' : ` · ${view.location}`;
  return {
    // The reader's time zone is unknown: use the organisation's, and name it.
    title: withOrganisation(titleOf(view, { now: null, zone: organisation.timeZone })),
    description: `${view.name}: ${statusStyle(view.status).label}${location}`,
  };
}
