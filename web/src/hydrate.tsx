import { hydrateRoot } from 'react-dom/client';
import { patternOf } from './app/pages.ts';
import { englishPages, PublicPage } from './PublicPage.tsx';
import type { PublicPageProps } from '@waybill/contract';
import { setFormats } from './platform/format-language.ts';
import { loadTexts } from './platform/load-texts.ts';
import { texts } from './platform/texts.ts';
import { watchForErrors } from './platform/report-errors.ts';
import { startSession } from './platform/session.ts';
import './styles.css';

watchForErrors(patternOf);

const root = document.getElementById('root');
const pageJson = document.getElementById('page')?.textContent;
if (!root || !pageJson) throw new Error('this page was not drawn by the server');

const props = JSON.parse(pageJson) as PublicPageProps;
await loadTexts(props.language);
setFormats(englishPages.has(props.page.name) ? 'en' : texts.locale);
// Hydrate in a task of its own, so that the browser can handle input between evaluating this module and hydration.
setTimeout(() => {
  hydrateRoot(root, <PublicPage {...props} />);
  startSession();
});
