import { hydrateRoot } from 'react-dom/client';
import { patternOf } from './app/pages.ts';
import { PublicPage } from './PublicPage.tsx';
import type { PublicPageProps } from '@waybill/contract';
import { watchForErrors } from './platform/report-errors.ts';
import { startSession } from './platform/session.ts';
import './styles.css';

watchForErrors(patternOf);

const root = document.getElementById('root');
const given = document.getElementById('page')?.textContent;
if (!root || !given) throw new Error('this page was not drawn by the server');

// Not in one go with the reading of this module: between the two a finger is heard.
setTimeout(() => {
  hydrateRoot(root, <PublicPage {...(JSON.parse(given) as PublicPageProps)} />);
  startSession();
});
