import { useQuery } from '@tanstack/react-query';
import type { TemplateDraft } from '@waybill/contract';
import { ChevronRight, Monitor, Moon, Smartphone, Sun } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useMediaQuery } from '../platform/media-query.ts';
import { useTheme } from '../platform/theme.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { showMail } from './mail-frame.ts';
import { previewQuery } from './template-queries.ts';
import type { TemplateName } from './template-queries.ts';

interface TemplatePreviewProps {
  name: TemplateName;
  draft: TemplateDraft;
}

/** The email as its reader gets it, with example values: as wide as a phone or a window, in light or dark. */
export function TemplatePreview({ name, draft }: TemplatePreviewProps) {
  const [narrow, setNarrow] = useState(false);
  const theme = useTheme();
  const prefersDark = useMediaQuery('(prefers-color-scheme: dark)');
  const [chosen, setChosen] = useState<boolean>();
  // As the page around it, until somebody chooses.
  const dark = chosen ?? (theme === 'dark' || (theme === 'system' && prefersDark));
  const [height, setHeight] = useState(320);
  const isComplete = draft.subject !== '' && draft.paragraphs.length > 0;
  const preview = useQuery({ ...previewQuery(name, draft), enabled: isComplete });
  const html = preview.data?.html;
  const frame = useCallback(
    (element: HTMLIFrameElement | null) => {
      if (element && html !== undefined) return showMail(element, html, dark, setHeight);
    },
    [html, dark],
  );
  return (
    <section
      aria-labelledby="mail-preview"
      className="border-line @4xl:-mt-3 @max-4xl:mt-6 @max-4xl:border-t @max-4xl:pt-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id="mail-preview" className="text-ui font-semibold">
          Preview with examples
        </h3>
        <div className="-mr-3 flex">
          <IconButton
            label={narrow ? 'Show as wide as a window' : 'Show as wide as a phone'}
            icon={narrow ? <Monitor aria-hidden="true" /> : <Smartphone aria-hidden="true" />}
            onClick={() => setNarrow(!narrow)}
          />
          <IconButton
            label={dark ? 'Show in light' : 'Show in dark'}
            icon={dark ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />}
            onClick={() => setChosen(!dark)}
          />
        </div>
      </div>
      {!isComplete || preview.error ? (
        <p className="mt-2 text-ui text-ink-2">
          {isComplete ? preview.error?.message : 'It has no subject or no text yet.'}
        </p>
      ) : (
        preview.data && (
          <>
            <p className="mt-1 text-ui text-ink-2">
              <span className="text-ink-3">Subject: </span>
              <span lang={name.language}>{preview.data.subject}</span>
            </p>
            <div className="mt-3 flex justify-center overflow-hidden rounded-card border border-line bg-sunken">
              <iframe
                ref={frame}
                title="The email"
                sandbox="allow-same-origin"
                style={{ height, width: narrow ? 320 : '100%' }}
                className="block max-w-full"
              />
            </div>
            <details className="group/plain mt-3">
              <summary className="flex min-h-11 cursor-pointer list-none items-center gap-1.5 text-ui font-medium text-brand [&::-webkit-details-marker]:hidden">
                <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open/plain:rotate-90" />
                As plain text
              </summary>
              <p lang={name.language} className="mt-2 rounded-control bg-sunken px-4 py-3 text-ui whitespace-pre-line">
                {preview.data.text}
              </p>
            </details>
          </>
        )
      )}
    </section>
  );
}
