import { SettingsInput, settingVariables } from '@waybill/contract';
import type { SettingName, Settings } from '@waybill/contract';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import type { UseFormRegister } from 'react-hook-form';
import * as z from 'zod/mini';
import { toast } from '../platform/toasts.ts';
import { fromText, numberFromText } from '../platform/text-inputs.ts';
import { unchanged } from '../platform/uploads.ts';
import type { PictureChange } from '../platform/uploads.ts';
import { useForm } from '../platform/useForm.ts';
import { useSaveSettings } from './queries.ts';

type TextSetting = Exclude<SettingName, 'logo'>;
type NumberSetting = Extract<TextSetting, `${string}Days` | `cost${string}`>;

/** The form's input: strings, blank for the default; the logo is a picture. */
type TypedSettings = Partial<Record<TextSetting, string>> & { logo: PictureChange };
type CheckedSettings = Pick<SettingsInput, TextSetting> & { logo: PictureChange };

const rules = SettingsInput.shape;
const isNumber = (name: TextSetting): name is NumberSetting => name.endsWith('Days') || name.startsWith('cost');

/** The contract's schema of some settings. Settings locked by the environment are not validated. */
function schemaOf(names: readonly TextSetting[], settings: Settings) {
  const fields = names
    .filter((name) => !settings[name].locked)
    .map((name) => [name, isNumber(name) ? numberFromText(rules[name]) : fromText(rules[name])]);
  return z.object({
    ...(Object.fromEntries(fields) as Record<string, z.ZodMiniType>),
    logo: z.custom<PictureChange>(),
  }) as unknown as z.ZodMiniType<CheckedSettings, TypedSettings>;
}

const toFormValues = (names: readonly TextSetting[], settings: Settings): TypedSettings => ({
  ...Object.fromEntries(names.map((name) => [name, String(settings[name].value ?? '')])),
  logo: unchanged,
});

/** The hint for a setting that is locked by an environment variable; null if it is not locked. */
export function lockOf(settings: Settings, name: SettingName): string | null {
  const variable = name in settingVariables && settingVariables[name as keyof typeof settingVariables];
  return settings[name].locked && variable ? `Set by ${variable} in the environment of the server` : null;
}

export interface SettingsForm {
  register: UseFormRegister<TypedSettings>;
  /** The current input of a setting. */
  text: (name: TextSetting) => string | undefined;
  /** The props of a setting's Field. */
  field: (
    name: SettingName,
    hint?: string,
  ) => { error: string | undefined; disabled: boolean; hint: string | undefined };
  logo: PictureChange;
  chooseLogo: (logo: PictureChange) => void;
  settings: Settings;
  changed: boolean;
  saving: boolean;
  /** Why saving failed, if the error does not belong to a field. */
  formError: string | undefined;
  onSubmit: (event: FormEvent) => void;
  discard: () => void;
}

/** A form of some settings. While it is clean it follows changes that others save. @param section the name of its draft */
export function useSettingsForm(section: string, names: readonly TextSetting[], current: Settings): SettingsForm {
  const [settings, setSettings] = useState(current);
  const saving = useSaveSettings();
  const form = useForm(schemaOf(names, settings), submit, {
    initial: toFormValues(names, settings),
    refusal: saving.error,
    draft: `settings ${section}`,
  });
  const { changed, saved } = form;
  const { errors, dirtyFields } = form.formState;

  const shown = useRef(current);
  function show(from: Settings) {
    shown.current = from;
    saved(toFormValues(names, from));
  }
  function start(from: Settings) {
    setSettings(from);
    show(from);
  }
  if (!changed && settings !== current) setSettings(current);
  useEffect(() => {
    if (shown.current !== settings) show(settings);
  });

  function submit({ logo, ...typedSettings }: CheckedSettings) {
    const changes = Object.entries(typedSettings).filter(([name]) => dirtyFields[name as TextSetting]);
    saving.mutate(
      { ...Object.fromEntries(changes), version: settings.version, picture: logo },
      {
        onSuccess: (after) => {
          start(after);
          toast({ title: 'Settings saved', description: 'They are in force from now on.' });
        },
      },
    );
  }
  return {
    register: form.register,
    text: (name) => form.watch(name),
    field: (name, hint) => {
      const lock = lockOf(settings, name);
      return { error: errors[name]?.message, disabled: lock !== null, hint: lock ?? hint };
    },
    logo: form.watch('logo'),
    chooseLogo: (logo) => form.choose('logo', logo),
    settings,
    changed,
    saving: saving.isPending,
    formError: form.formError,
    onSubmit: form.onSubmit,
    discard: () => {
      saving.reset();
      start(current);
    },
  };
}
