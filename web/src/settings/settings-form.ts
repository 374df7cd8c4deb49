import { settingVariables } from '@waybill/contract';
import type { SettingName, Settings, SettingsInput } from '@waybill/contract';
import { useState } from 'react';
import { useDraft } from '../platform/drafts.ts';
import { toast } from '../platform/toasts.ts';
import { useUnsaved } from '../platform/unsaved.ts';
import { faultsOf } from '../platform/faults.ts';
import { useSaveSettings } from './queries.ts';

/** What a setting is in a form: text, blank for the default. */
export type TypedSettings = Partial<Record<SettingName, string>>;

const textOf = (settings: Settings, name: SettingName): string => String(settings[name].value ?? '');

/** What was typed and is another value than the present one, as the server takes it. */
export function changesOf(settings: Settings, typed: TypedSettings): Omit<SettingsInput, 'version'> {
  const names = Object.keys(typed) as SettingName[];
  const changed = names.filter((name) => typed[name]?.trim() !== textOf(settings, name));
  return Object.fromEntries(changed.map((name) => [name, inputOf(name, typed[name] ?? '')]));
}

function inputOf(name: SettingName, typed: string): string | number | null {
  const text = typed.trim();
  if (text === '') return null;
  return name.endsWith('Days') ? Number(text) : text;
}

/** What the environment sets is told with the variable that does. */
export function lockOf(settings: Settings, name: SettingName): string | null {
  const variable = name in settingVariables && settingVariables[name as keyof typeof settingVariables];
  return settings[name].locked && variable ? `Set by ${variable} in the environment of the server` : null;
}

export interface SettingsForm {
  /** What the form shows of a setting. */
  text: (name: SettingName) => string;
  type: (name: SettingName, text: string) => void;
  /** What a Field of this setting takes. */
  field: (
    name: SettingName,
    hint?: string,
  ) => { error: string | undefined; disabled: boolean; hint: string | undefined };
  picture: File | null | undefined;
  choosePicture: (picture: File | null | undefined) => void;
  settings: Settings;
  isDirty: boolean;
  saving: boolean;
  /** Why it was not saved, where it is not the fault of a single field. */
  error: Error | null;
  save: () => void;
  discard: () => void;
}

const nothingTyped: { typed: TypedSettings; picture: File | null | undefined } = { typed: {}, picture: undefined };

/** A form of some settings. Until something is typed it follows what others save. @param section names what is typed into it */
export function useSettingsForm(section: string, current: Settings): SettingsForm {
  const [settings, setSettings] = useState(current);
  const draft = useDraft(`settings ${section}`, nothingTyped);
  const { typed, picture } = draft.values;
  const saving = useSaveSettings();
  const changes = changesOf(settings, typed);
  const isDirty = Object.keys(changes).length > 0 || picture !== undefined;
  const faults = faultsOf(saving.error);
  useUnsaved(isDirty);

  const start = (from: Settings) => {
    setSettings(from);
    draft.saved(nothingTyped);
  };
  if (!isDirty && settings !== current) start(current);

  return {
    text: (name) => typed[name] ?? textOf(settings, name),
    type: (name, text) => draft.change({ typed: { ...typed, [name]: text } }),
    field: (name, hint) => {
      const lock = lockOf(settings, name);
      return { error: faults[name], disabled: lock !== null, hint: lock ?? hint };
    },
    picture,
    choosePicture: (chosen) => draft.change({ picture: chosen }),
    settings,
    isDirty,
    saving: saving.isPending,
    error: Object.keys(faults).length === 0 ? saving.error : null,
    save: () =>
      saving.mutate(
        { ...changes, version: settings.version, picture },
        {
          onSuccess: (saved) => {
            start(saved);
            toast({ title: 'Settings saved', description: 'They are in force from now on.' });
          },
        },
      ),
    discard: () => {
      saving.reset();
      start(current);
    },
  };
}
