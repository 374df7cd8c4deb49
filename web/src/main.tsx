import './zod-without-eval.ts';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followInternalLinks } from './platform/internal-links.ts';
import { loadTexts } from './platform/load-texts.ts';
import { onInvalidation, startLive } from './platform/live.ts';
import { refreshOrganisation } from './platform/organisation.ts';
import { queryClient } from './platform/query-client.ts';
import { currentLanguage } from './platform/language.ts';
import { watchForErrors } from './platform/report-errors.ts';
import { startSession } from './platform/session.ts';
import { listenToKeys } from './app/keys.ts';
import { guardNavigation } from './app/navigation-guard.ts';
import { isApplicationPath, patternOf } from './app/pages.ts';
import { router } from './app/routes.tsx';
import './styles.css';
import './tracking/tracker.css';
import './pages/parts/landing.css';
import { LazyToaster } from './ui/LazyToaster.tsx';

watchForErrors(patternOf);
startSession();
startLive();
onInvalidation('settings', () => void refreshOrganisation());
followInternalLinks((href) => router.history.push(href), isApplicationPath);
guardNavigation(router.history);
listenToKeys((href) => router.history.push(href));

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const language = currentLanguage();
document.documentElement.lang = language;
void loadTexts(language).then(() =>
  createRoot(root).render(
    <StrictMode>
      {/* The Content Security Policy forbids style elements; our own classes replace those of Base UI. */}
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <LazyToaster />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  ),
);
