import type { ReactNode } from 'react';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { usePageTitle } from '../platform/page-title.ts';
import { texts } from '../platform/texts.ts';
import { LinkButton } from '../ui/LinkButton.tsx';

/** Not with the shell, which every page loads. */
const LazyMissingParcel = lazyComponent(() =>
  importWithRetry(async () => (await import('../ui/MissingParcel.tsx')).MissingParcel),
);

/** The server gives the drawing at once: its page is not hydrated. */
export function NotFoundPage({ drawing }: { drawing?: ReactNode }) {
  usePageTitle(texts.notFound.title);
  return (
    <div className="page flex grow flex-col items-center justify-center py-12 text-center md:py-20">
      <div className="h-35">{drawing ?? <LazyMissingParcel />}</div>
      <p className="code mb-2 text-ui text-ink-3">404</p>
      <h1 className="text-title font-semibold">{texts.notFound.title}</h1>
      <p className="mt-2 max-w-[26rem] text-body text-balance text-ink-2">{texts.notFound.text}</p>
      <div className="mt-7">
        <LinkButton href="/">{texts.notFound.home}</LinkButton>
      </div>
    </div>
  );
}
