import { ApiError } from '@waybill/contract';
import type { RecipientChangeInput, RecipientChangeKind, RecipientView } from '@waybill/contract';
import { CircleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { formatDayWord, localDay, localTime } from '../platform/formats.ts';
import { translated } from '../platform/texts.ts';
import { useUnsavedChanges } from '../platform/unsaved-changes.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { Select } from '../ui/Select.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import { texts } from './recipient-texts.ts';

interface ChangeFormProps {
  kind: RecipientChangeKind;
  data: RecipientView;
  onSave: (input: RecipientChangeInput) => Promise<void>;
  onCancel: () => void;
}

/** What a field is called in the form and in the faults of the server. */
type Words = Record<string, string>;

/** The small form of one kind of change, filled with what was chosen before. */
export function ChangeForm({ kind, data, onSave, onCancel }: ChangeFormProps) {
  const [saving, setSaving] = useState(false);
  const [dirty, setDirty] = useState(false);
  const [faults, setFaults] = useState<Words>({});
  const [failed, setFailed] = useState<string | null>(null);
  useUnsavedChanges(dirty);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), []);
  const before = data.changes.findLast((change) => change.kind === kind)?.choice ?? {};

  const refuse = (found: Words) => {
    setFaults(found);
    const [first = ''] = Object.keys(found);
    form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (saving) return;
    const words = wordsOf(new FormData(event.currentTarget));
    const found = faultsOf(kind, words);
    setFailed(null);
    if (Object.keys(found).length > 0) return refuse(found);
    setFaults({});
    setSaving(true);
    try {
      await onSave(inputOf(kind, words));
    } catch (error) {
      setSaving(false);
      const fields = error instanceof ApiError ? error.fields : {};
      if (Object.keys(fields).length > 0) refuse(fields);
      else setFailed(failureOf(error));
    }
  };
  const days = daysOf(data);
  const [firstDay = ''] = days;
  return (
    <form
      ref={form}
      noValidate
      onInput={() => setDirty(true)}
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-4 pt-1 pb-5"
    >
      {failed !== null && (
        <Banner tone="red" icon={<CircleAlert />} live>
          {failed}
        </Banner>
      )}
      {fields()}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" loading={saving} loadingText={texts.saving}>
          {texts.save}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );

  function daySelect(chosen: string | undefined) {
    return (
      <Field label={texts.day} error={faults.day} required>
        <Select
          name="day"
          defaultValue={chosen !== undefined && days.includes(chosen) ? chosen : firstDay}
          options={days.map((day) => ({ value: day, label: formatDayWord(day) }))}
        />
      </Field>
    );
  }

  function fields() {
    switch (kind) {
      case 'reschedule':
        return daySelect(before.day);
      case 'window': {
        const { from, to } = before;
        return (
          <>
            {daySelect(from && localDay(new Date(from)))}
            <div className="grid grid-cols-2 gap-3">
              <Field label={texts.from} error={faults.from} required>
                <Input name="from" type="time" step={900} defaultValue={from ? localTime(new Date(from)) : '17:00'} />
              </Field>
              <Field label={texts.to} error={faults.to} required>
                <Input name="to" type="time" step={900} defaultValue={to ? localTime(new Date(to)) : '20:00'} />
              </Field>
            </div>
          </>
        );
      }
      case 'safe_place':
        return (
          <Field label={texts.place} hint={texts.placeExample} error={faults.place} required>
            <Input name="place" maxLength={200} defaultValue={before.place} autoComplete="off" />
          </Field>
        );
      case 'neighbour':
        return (
          <>
            <Field label={texts.name} error={faults.name} required>
              <Input name="name" maxLength={120} defaultValue={before.name} autoComplete="off" />
            </Field>
            <Field label={texts.neighbourAddress} error={faults.address} required>
              <Input name="address" maxLength={200} defaultValue={before.address} autoComplete="off" />
            </Field>
          </>
        );
      case 'instructions':
        return (
          <Field label={texts.note} error={faults.text} required>
            <Textarea name="text" rows={3} maxLength={500} defaultValue={before.text ?? data.instructions ?? ''} />
          </Field>
        );
      case 'collect':
        return (
          <Field label={texts.depot} error={faults.depotId} required>
            <Select
              name="depotId"
              defaultValue={before.depotId ?? data.depots[0]?.id}
              options={data.depots.map(({ id, name, address }) => ({
                value: id,
                label: address === null ? name : `${name}, ${address}`,
              }))}
            />
          </Field>
        );
    }
  }
}

/** From the first day that can be chosen to the last. */
function daysOf({ firstDay, lastDay }: RecipientView): string[] {
  const days: string[] = [];
  for (let at = Date.parse(`${firstDay}T00:00:00Z`); at <= Date.parse(`${lastDay}T00:00:00Z`); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

const wordsOf = (data: FormData): Words =>
  Object.fromEntries([...data].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : '']));

const instantOf = (day: string, time: string): string => new Date(`${day}T${time}`).toISOString();

function faultsOf(kind: RecipientChangeKind, words: Words): Words {
  const found: Words = {};
  for (const [name, word] of Object.entries(words)) {
    const least = name === 'text' || kind === 'window' ? 1 : 2;
    if (word.length < least) found[name] = texts.missing;
  }
  const { day = '', from = '', to = '' } = words;
  if (kind !== 'window' || Object.keys(found).length > 0) return found;
  if (to <= from) return { to: texts.order };
  return Date.parse(instantOf(day, to)) <= Date.now() ? { to: texts.past } : {};
}

function inputOf(kind: RecipientChangeKind, { day = '', from = '', to = '', ...words }: Words): RecipientChangeInput {
  const fields =
    kind === 'reschedule'
      ? { day }
      : kind === 'window'
        ? { from: instantOf(day, from), to: instantOf(day, to) }
        : words;
  return { kind, ...fields } as RecipientChangeInput;
}

export function failureOf(error: unknown): string {
  if (!(error instanceof ApiError)) return texts.notSaved;
  if (error.notSent) return texts.notSent;
  const known = translated(error.message);
  // Faults that have no translation are in English: rather a general one.
  return known === error.message && error.status !== 429 ? texts.notSaved : known;
}
