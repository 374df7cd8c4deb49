import { PackageX } from 'lucide-react';
import { usePageTitle } from '../platform/page-title.ts';
import { texts } from '../platform/texts.ts';
import { LinkButton } from '../ui/LinkButton.tsx';

export function NotFoundPage() {
  usePageTitle(texts.notFound.title);
  return (
    <div className="page flex grow flex-col items-center justify-center py-20 text-center">
      <span
        aria-hidden="true"
        className="mb-6 flex size-20 items-center justify-center rounded-full bg-sunken text-ink-3"
      >
        <PackageX strokeWidth={1.5} className="size-9" />
      </span>
      <p className="code mb-2 text-ui text-ink-3">404</p>
      <h1 className="text-title font-semibold">{texts.notFound.title}</h1>
      <p className="mt-2 max-w-[26rem] text-body text-ink-2">{texts.notFound.text}</p>
      <div className="mt-7">
        <LinkButton href="/">{texts.notFound.home}</LinkButton>
      </div>
    </div>
  );
}
