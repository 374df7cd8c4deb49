import type { PublicPageProps } from '@waybill/contract';
import type { ComponentType } from 'react';
import { hydrateRoot } from 'react-dom/client';
import type { PageContentProps } from './pages/parts/page-content.ts';
import { englishPages, PublicPage } from './PublicPage.tsx';
import { setFormats } from './platform/format-language.ts';
import { loadTexts } from './platform/load-texts.ts';
import { texts } from './platform/texts.ts';
import { watchForErrors } from './platform/report-errors.ts';
import { startSession } from './platform/session.ts';

/**
 * Hydrates a page that the server has rendered. Each kind of page is an entry point of its own, so that visitors load no code of the
 * others.
 *
 * @param Content what stands between header and footer
 */
export async function hydrate(Content: ComponentType<PageContentProps>): Promise<void> {
  const root = document.getElementById('root');
  const pageJson = document.getElementById('page')?.textContent;
  if (!root || !pageJson) throw new Error('this page was not drawn by the server');
  const props = JSON.parse(pageJson) as PublicPageProps;
  // Reports name no package.
  watchForErrors((path) =>
    path.startsWith('/track/') ? '/track/$id' : props.page.name === 'not-found' ? '/other' : path,
  );
  await loadTexts(props.language);
  setFormats(englishPages.has(props.page.name) ? 'en' : texts.locale);
  // Hydrate in a task of its own, so that the browser can handle input between evaluating the modules and hydration.
  setTimeout(() => {
    hydrateRoot(root, <PublicPage {...props} Content={Content} />);
    startSession();
  });
}
