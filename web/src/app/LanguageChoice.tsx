import type { Language } from '@waybill/contract';
import { Languages } from 'lucide-react';
import { useId } from 'react';
import { chooseLanguage } from '../platform/language.ts';
import { texts } from '../platform/texts.ts';

/** Links, so that public pages can be read in another language without JavaScript. With it, the choice is kept in this browser. */
export function LanguageChoice({ languages }: { languages: readonly Language[] }) {
  // A menu and a sheet may both have it.
  const titleId = useId();
  if (languages.length < 2) return null;
  return (
    <nav aria-labelledby={titleId} className="flex flex-wrap items-center gap-x-4">
      <h2 id={titleId} className="sr-only">
        {texts.chooseLanguage}
      </h2>
      <Languages aria-hidden="true" className="size-4 text-ink-3" />
      {languages.map(({ code, name }) => (
        <a
          key={code}
          href={`?lang=${code}`}
          lang={code}
          hrefLang={code}
          aria-current={name === texts.language ? 'true' : undefined}
          onClick={(event) => {
            event.preventDefault();
            event.stopPropagation();
            chooseLanguage(code);
          }}
          className="inline-flex min-h-9 items-center rounded-control text-ui text-ink-2 transition-colors hover:text-ink hover:underline hover:underline-offset-4 aria-[current]:font-medium aria-[current]:text-ink"
        >
          {name}
        </a>
      ))}
    </nav>
  );
}
