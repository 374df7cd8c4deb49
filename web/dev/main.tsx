import '../src/zod-without-eval.ts';
import { texts as english, type Texts } from '@waybill/contract/texts/en';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRouter, createMemoryHistory, createRootRoute, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { setDriverTexts } from '../src/deliveries/texts.ts';
import { setTexts } from '../src/platform/texts.ts';
import '../src/styles.css';
import '../src/tracking/tracker.css';
import { Gallery } from './Gallery.tsx';

// The page /dev/gallery of `npm run dev`: every UI component in every state. No build contains it.
setTexts(english);
// They are no part of the page's texts.
const driver = import.meta.glob<Texts['driver']>('../../contract/src/texts/en.ts', {
  eager: true,
  import: 'texts',
  query: '?driver',
});
for (const texts of Object.values(driver)) setDriverTexts(texts);

const router = createRouter({
  routeTree: createRootRoute({ component: Gallery }),
  history: createMemoryHistory(),
});

const root = document.getElementById('root');
if (!root) throw new Error('gallery.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
