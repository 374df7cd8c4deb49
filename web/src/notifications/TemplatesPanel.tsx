import { useQuery } from '@tanstack/react-query';
import { recipientLanguages } from '@waybill/contract';
import type { TemplateKind } from '@waybill/contract';
import { useState } from 'react';
import { Card } from '../ui/Card.tsx';
import { Field } from '../ui/Field.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Select } from '../ui/Select.tsx';
import { TemplateEditor } from './TemplateEditor.tsx';
import { templateQuery, templatesQuery, useLiveTemplates } from './template-queries.ts';
import { audienceTexts, nameOfTemplate } from './template-texts.ts';

const languages = Object.entries(recipientLanguages).map(([value, label]) => ({ value, label }));

interface TemplatesPanelProps {
  /** Asks first if there are unsaved changes. */
  confirmLeave: () => Promise<boolean>;
}

/** The texts of messages: one is chosen by reader, event and language, and edited beside its preview. */
export function TemplatesPanel({ confirmLeave }: TemplatesPanelProps) {
  useLiveTemplates();
  const kinds = useQuery(templatesQuery());
  return (
    <Panel title="Messages" query={kinds} loadingHeight="h-72">
      {(list) => <TemplateChoice kinds={list} confirmLeave={confirmLeave} />}
    </Panel>
  );
}

function TemplateChoice({ kinds, confirmLeave }: { kinds: readonly TemplateKind[] } & TemplatesPanelProps) {
  const [chosen, setChosen] = useState({ kind: 'owner.delivery.completed', language: 'en' });
  const current = kinds.find(({ kind }) => kind === chosen.kind) ?? kinds[0];
  const audiences = [...new Set(kinds.map(({ audience }) => audience))].map((value) => ({
    value,
    label: audienceTexts[value] ?? value,
  }));
  const choose = async (next: Partial<typeof chosen>) => {
    if (await confirmLeave()) setChosen({ ...chosen, ...next });
  };
  if (!current) return null;
  const name = { kind: current.kind, language: chosen.language };
  return (
    <div className="@container">
      <p className="-mt-3.5 mb-5 text-ui text-ink-2">
        The wording of emails and SMS. Notifications in the app keep their own.
      </p>
      <div className="grid gap-5 sm:grid-cols-2 @4xl:grid-cols-3">
        <Field label="Who gets it">
          <Select
            value={current.audience}
            options={audiences}
            onValueChange={(audience) =>
              void choose({ kind: kinds.find((one) => one.audience === audience)?.kind ?? current.kind })
            }
          />
        </Field>
        <Field label="Language">
          <Select
            value={chosen.language}
            options={languages.map(({ value, label }) => ({
              value,
              label: current.changed.includes(value) ? `${label} – changed` : label,
            }))}
            onValueChange={(language) => void choose({ language })}
          />
        </Field>
        <div className="sm:@max-4xl:col-span-2">
          <Field label="Message">
            <Select
              value={current.kind}
              options={kinds
                .filter(({ audience }) => audience === current.audience)
                .map((one) => ({
                  value: one.kind,
                  label: one.changed.length > 0 ? `${nameOfTemplate(one)} – changed` : nameOfTemplate(one),
                }))}
              onValueChange={(kind) => void choose({ kind })}
            />
          </Field>
        </div>
      </div>
      <ChosenTemplate key={`${name.kind} ${name.language}`} name={name} />
    </div>
  );
}

function ChosenTemplate({ name }: { name: { kind: string; language: string } }) {
  const template = useQuery(templateQuery(name));
  return (
    <div className="mt-5 border-t border-line pt-5">
      {template.data ? (
        <TemplateEditor template={template.data} />
      ) : (
        <Panel title="Text" query={template} loadingHeight="h-72">
          {() => <Card />}
        </Panel>
      )}
    </div>
  );
}
