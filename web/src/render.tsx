import { fill } from '@waybill/contract';
import type { Organisation, PageAssets, PageRenderer, PublicPageData, PublicPageProps } from '@waybill/contract';
import { texts as english, type Texts } from '@waybill/contract/texts/en';
import type { ComponentType, ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { NotFoundPage } from './app/NotFoundPage.tsx';
import { pageAt } from './app/pages.ts';
import { setDriverTexts } from './deliveries/texts.ts';
import { AboutPage } from './pages/AboutPage.tsx';
import { CookiesPage } from './pages/CookiesPage.tsx';
import { LicensesPage } from './pages/LicensesPage.tsx';
import { ContactContent } from './pages/parts/ContactContent.tsx';
import { setDrawing } from './pages/parts/DrawnPicture.tsx';
import { LandingContent } from './pages/parts/LandingContent.tsx';
import { LandingPicture } from './pages/parts/LandingPictures.tsx';
import { setTextDrawing, TextContent } from './pages/parts/TextContent.tsx';
import { TrackContent } from './pages/parts/TrackContent.tsx';
import { PrivacyPage } from './pages/PrivacyPage.tsx';
import { TermsPage } from './pages/TermsPage.tsx';
import { statusStyle } from './packages/status.ts';
import { setFormats } from './platform/format-language.ts';
import { setTexts, texts } from './platform/texts.ts';
import type { PageContentProps } from './pages/parts/page-content.ts';
import { englishPages, PublicPage } from './PublicPage.tsx';
import { MissingParcel } from './ui/MissingParcel.tsx';
import { answerOf } from './tracking/answer.ts';
import { titleOf } from './tracking/title.ts';
import { sceneOf } from './tracking/scene/state.ts';
import { placeName, statusLabel } from './tracking/texts.ts';

const allTexts = import.meta.glob<Texts>('../../contract/src/texts/*.ts', { eager: true, import: 'texts' });
const textsOf = (language: string) => allTexts[`../../contract/src/texts/${language}.ts`];

/** Of the driver's phone in the pictures of the landing page. */
const driverTexts = import.meta.glob<Texts['driver']>('../../contract/src/texts/*.ts', {
  eager: true,
  import: 'texts',
  query: '?driver',
});

/** The pictures of the landing page in the language of the texts: they are the same for every visitor, so each is drawn once. */
const drawn = new Map<string, string>();
setDrawing((name) => {
  const key = `${texts.locale} ${name}`;
  const html = drawn.get(key) ?? renderToString(<LandingPicture name={name} />);
  drawn.set(key, html);
  return html;
});

setTextDrawing((page) => renderToString(<>{textOf(page)}</>));

function textOf(page: PublicPageData): ReactNode {
  switch (page.name) {
    case 'about':
      return <AboutPage />;
    case 'terms':
      return <TermsPage />;
    case 'privacy':
      return <PrivacyPage />;
    case 'cookies':
      return <CookiesPage />;
    case 'licenses':
      return <LicensesPage packages={page.packages} />;
    default:
      return <NotFoundPage drawing={<MissingParcel />} />;
  }
}

/** What stands between header and footer, by the name of the page; all others have only text. */
const contents: Partial<Record<PublicPageData['name'], ComponentType<PageContentProps>>> = {
  landing: LandingContent,
  track: TrackContent,
  contact: ContactContent,
};

/** Renders a public page to HTML on the server; hydrate.tsx hydrates it in the browser. */
export const renderDocument: PageRenderer['renderDocument'] = (props, assets, origin) => {
  // Rendering is synchronous, so no other request comes between.
  setTexts(textsOf(props.language) ?? english);
  const ofDriver =
    driverTexts[`../../contract/src/texts/${props.language}.ts`] ?? driverTexts['../../contract/src/texts/en.ts'];
  if (ofDriver) setDriverTexts(ofDriver);
  setFormats(englishPages.has(props.page.name) ? english.locale : texts.locale);
  return `<!doctype html>${renderToString(<Document {...props} {...assets} origin={origin} />)}`;
};

export const inlineScripts: PageRenderer['inlineScripts'] = ({ theme, scripts, texts: files }, language, name) => [
  theme,
  hydrateAfterPaint([...(scripts[name] ?? []), files[language]].filter((url) => url !== undefined)),
];

export const previewOf: PageRenderer['previewOf'] = (view, { name, logo, timeZone }) => {
  // Whoever fetches it reads for others, so their language is unknown.
  setTexts(english);
  setFormats(english.locale);
  const label = statusLabel(view.status);
  const { trackerProgress: progress } = statusStyle(view.status);
  // The reader's zone is unknown: the organisation's, named.
  const { lead, main } = answerOf(view, { now: null, zone: timeZone, dayZone: timeZone });
  return {
    organisation: name,
    hasLogo: logo !== null,
    trackingId: view.trackingId,
    lead,
    main,
    status: label.charAt(0).toUpperCase() + label.slice(1),
    progress,
    tint: sceneOf({ state: 'found', view }).tint,
    steps: [texts.track.preparing, texts.track.inTransit, texts.track.delivered],
  };
};

export const chunksOf: PageRenderer['chunksOf'] = (path) => {
  const page = pageAt(path);
  if (!page) return null;
  return [
    page.component,
    ...(page.dialogs ? [page.dialogs] : []),
    ...(page.texts ? [`?${page.texts}`] : []),
    ...(typeof page.for === 'object' ? ['session'] : []),
  ];
};

/**
 * The page is readable without JavaScript, so its hydration script is loaded only after the first paint and never delays it. The 3 s
 * timer is for browsers that do not report paint timing.
 */
const hydrateAfterPaint = (scripts: string[]) =>
  `{const start=()=>{${scripts.map((script) => `import(${JSON.stringify(script)})`).join(';')}};setTimeout(start,3000);new PerformanceObserver(start).observe({type:'paint',buffered:true})}`;

function Document({
  path,
  page,
  organisation,
  apiDocs,
  language,
  languages,
  origin,
  ...assets
}: PublicPageProps & PageAssets & { origin: string | null }) {
  const props: PublicPageProps = { path, page, organisation, apiDocs, language, languages };
  const { title, description } = metadataOf(page, organisation);
  const [theme = '', hydrationScript = ''] = inlineScripts(assets, language, page.name);
  const isPackage = page.name === 'track' && page.found !== undefined && 'view' in page.found;
  return (
    <html lang={language} data-languages={languages.map(({ code }) => code).join(' ')}>
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
        <meta name="twitter:card" content={isPackage ? 'summary_large_image' : 'summary'} />
        {origin && <meta property="og:url" content={origin + path} />}
        {origin && isPackage && (
          <>
            <meta property="og:image" content={`${origin}${path}/preview.png`} />
            <meta property="og:image:width" content="1200" />
            <meta property="og:image:height" content="630" />
            <meta property="og:image:alt" content={title} />
          </>
        )}
        {origin && !isPackage && organisation.logo && <meta property="og:image" content={origin + organisation.logo} />}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        {assets.fonts
          .filter((href) => !href.includes('mono') || hasCodes(page))
          .map((href) => (
            <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
          ))}
        <style dangerouslySetInnerHTML={{ __html: assets.styles }} />
        {assets.stylesOf[page.name] && <style dangerouslySetInnerHTML={{ __html: assets.stylesOf[page.name] ?? '' }} />}
        <script dangerouslySetInnerHTML={{ __html: theme }} />
      </head>
      <body>
        <div id="root">
          <PublicPage {...props} Content={contents[page.name] ?? TextContent} />
        </div>
        <script
          id="page"
          type="application/json"
          dangerouslySetInnerHTML={{
            __html: JSON.stringify({ ...props, page: hydratedData(page) }).replaceAll('<', '\\u003c'),
          }}
        />
        <script dangerouslySetInnerHTML={{ __html: hydrationScript }} />
      </body>
    </html>
  );
}

/** The list of licenses stays as it was drawn. */
const hydratedData = (page: PublicPageData): PublicPageData =>
  page.name === 'licenses' ? { ...page, packages: [] } : page;

/** Whether a page shows codes and needs the monospaced font. An unused preload would delay the resources that are needed. */
const hasCodes = ({ name }: PublicPageData) => ['landing', 'track', 'contact', 'not-found'].includes(name);

/** Title and description by page. Without a title the page has the organisation's name alone. */
const metadata = (): Record<PublicPageData['name'], { title?: string; description: string }> => ({
  landing: { description: texts.landing.description },
  track: texts.track,
  about: texts.about,
  contact: texts.contact,
  terms: { title: 'Terms of Service', description: 'What operator and users may expect of each other.' },
  privacy: { title: 'Privacy Policy', description: 'What is stored, who sees it, and when it goes.' },
  cookies: { title: 'Cookie Policy', description: 'Waybill sets no cookies.' },
  licenses: { title: 'Licenses', description: 'The open-source software that Waybill stands on.' },
  'not-found': { title: texts.notFound.title, description: texts.notFound.text },
});

/** Title and description for link previews. Of a package they disclose only what its public page shows. */
function metadataOf(page: PublicPageData, organisation: Organisation): { title: string; description: string } {
  const withOrganisation = (title?: string) =>
    title === undefined ? organisation.name : `${title} · ${organisation.name}`;
  const { title, description } = metadata()[page.name];
  if (page.name !== 'track' || !page.id) return { title: withOrganisation(title), description };
  const view = page.found && 'view' in page.found ? page.found.view : null;
  if (!view) return { title: withOrganisation(fill(texts.track.titleOf, { id: page.id.toUpperCase() })), description };
  const location = view.location === null ? '' : ` · ${placeName(view.location)}`;
  return {
    // The reader's time zone is unknown: use the organisation's, and name it.
    title: withOrganisation(titleOf(view, { now: null, zone: organisation.timeZone })),
    description: `${view.name}: ${statusLabel(view.status)}${location}`,
  };
}
