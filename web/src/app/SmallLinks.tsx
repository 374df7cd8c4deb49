import type { Language } from '@waybill/contract';
import { texts } from '../platform/texts.ts';
import { footerLinks } from './frame-links.ts';
import { LanguageChoice } from './LanguageChoice.tsx';
import { ThemeChoice } from './ThemeChoice.tsx';

interface SmallLinksProps {
  /** Whether the server serves its API reference. */
  apiDocs: boolean;
  languages: readonly Language[];
  /** Called when a link was chosen. */
  onClose?: () => void;
}

/** The footer's links and its choices of theme and language, for menus: the application has no footer. */
export function SmallLinks({ apiDocs, languages, onClose }: SmallLinksProps) {
  return (
    <div className="border-t border-line px-3 pt-2 pb-2">
      <div className="flex items-center justify-between gap-3 py-1">
        <span className="text-ui text-ink-2">{texts.frame.theme}</span>
        <ThemeChoice />
      </div>
      <LanguageChoice languages={languages} />
      <ul className="grid grid-cols-2 gap-x-3">
        {footerLinks(apiDocs).map(({ label, href }) => (
          <li key={href}>
            <a
              href={href}
              onClick={onClose}
              className="inline-flex min-h-9 w-full items-center rounded-control text-table text-ink-2 hover:text-ink hover:underline hover:underline-offset-4"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
