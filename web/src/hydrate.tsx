import { hydrateRoot } from 'react-dom/client';
import { PublicPage } from './pages/PublicPage.tsx';
import type { PublicPageProps } from '@waybill/contract';
import { startSession } from './platform/session.ts';

const root = document.getElementById('root');
const given = document.getElementById('page')?.textContent;
if (!root || !given) throw new Error('this page was not drawn by the server');

hydrateRoot(root, <PublicPage {...(JSON.parse(given) as PublicPageProps)} />);
startSession();
