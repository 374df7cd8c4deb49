import { categories, constantColumns, importTargets } from '@waybill/contract';
import type { ConstantColumn, ImportMapping, ImportPreview, ImportTarget } from '@waybill/contract';
import { useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { Select } from '../ui/Select.tsx';
import { mappingOf } from './import-mappings.ts';
import { columnLabels } from './import-rows.ts';

const targetLabels: Record<ImportTarget, string> = { ...columnLabels, itemName: 'Item', itemQuantity: 'Quantity' };
const targetOptions = importTargets.map((target) => ({ value: target, label: targetLabels[target] }));
const categoryOptions = categories.map((category) => ({ value: category, label: category }));

/** Maps each column of the file to a package field, with three sample values, and sets constants for fields that no column fills. */
export function ImportColumnsCard({
  preview,
  busy,
  onChosen,
}: {
  preview: ImportPreview;
  busy: boolean;
  onChosen: (mapping: ImportMapping) => void;
}) {
  const [mapping, setMapping] = useState(() => mappingOf(preview));
  const choose = (name: string, target: ImportTarget | null) =>
    setMapping(({ columns: { [name]: _before, ...others }, constants }) => ({
      columns: target ? { ...others, [name]: target } : others,
      constants,
    }));
  const setConstant = (name: ConstantColumn, value: string) =>
    setMapping(({ columns, constants: { [name]: _before, ...others } }) => ({
      columns,
      constants: value === '' ? others : { ...others, [name]: value },
    }));
  const chosen = new Set<string>(Object.values(mapping.columns));
  return (
    <Card
      title="Columns"
      description={`${preview.format === 'other' ? 'They are not recognised: choose what each stands for.' : 'What each column of the file stands for.'} Your choice is remembered for files like this one.`}
    >
      <div className="flex flex-col gap-6">
        <ul className="divide-y divide-line">
          {preview.columns
            .filter(({ name }) => name !== '')
            .map(({ name, samples }) => (
              <li key={name} className="grid items-center gap-x-4 gap-y-1.5 py-3 sm:grid-cols-[minmax(0,1fr)_14rem]">
                <div className="min-w-0">
                  <p className="text-ui font-medium wrap-anywhere">{name}</p>
                  <p className="line-clamp-2 text-table text-ink-3 wrap-anywhere">{samples.join(' · ') || 'Empty'}</p>
                </div>
                <Select
                  aria-label={`What ${name} stands for`}
                  options={targetOptions}
                  placeholder="Leave out"
                  value={mapping.columns[name] ?? ''}
                  onChange={(event) => {
                    if (event.target.value === '') choose(name, null);
                  }}
                  onValueChange={(target) => choose(name, target)}
                />
              </li>
            ))}
        </ul>
        <fieldset>
          <legend className="mb-3 text-ui font-medium">Values for rows that have none</legend>
          <div className="grid gap-x-3 gap-y-4 sm:grid-cols-2">
            {constantColumns.map((name) => (
              <Field
                key={name}
                label={columnLabels[name]}
                error={
                  preview.missing.includes(name) && !chosen.has(name) && !mapping.constants[name]
                    ? 'Please choose a column for it, or give a value'
                    : undefined
                }
              >
                {name === 'category' ? (
                  <Select
                    options={categoryOptions}
                    placeholder="None"
                    value={mapping.constants.category ?? ''}
                    onChange={(event) => setConstant('category', event.target.value)}
                  />
                ) : (
                  <Input
                    autoComplete="off"
                    placeholder={name === 'eta' ? 'For example 2026-01-31' : undefined}
                    maxLength={name === 'description' ? 2000 : 120}
                    value={mapping.constants[name] ?? ''}
                    onChange={(event) => setConstant(name, event.target.value)}
                  />
                )}
              </Field>
            ))}
          </div>
        </fieldset>
        {preview.missing.length > 0 && (
          <p className="text-ui text-danger">
            Still missing: {preview.missing.map((column) => columnLabels[column]).join(', ')}
          </p>
        )}
        <div className="flex justify-end max-sm:*:grow">
          <Button size="lg" loading={busy} onClick={() => onChosen(mapping)}>
            Preview
          </Button>
        </div>
      </div>
    </Card>
  );
}
