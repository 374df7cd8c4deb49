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
type DaysSetting = Extract<TextSetting, `${string}Days`>;

/** Settings are text in a form, blank for the default; the logo is a picture. */
type TypedSettings = Partial<Record<TextSetting, string>> & { logo: PictureChange };
type CheckedSettings = Pick<SettingsInput, TextSetting> & { logo: PictureChange };

const rules = SettingsInput.shape;
const isDays = (name: TextSetting): name is DaysSetting => name.endsWith('Days');

/** The contract's rules of some settings. What the environment sets is no fault of this form. */
function formOf(names: readonly TextSetting[], settings: Settings) {
  const fields = names
    .filter((name) => !settings[name].locked)
    .map((name) => [name, isDays(name) ? numberFromText(rules[name]) : fromText(rules[name])]);
  return z.object({
    ...(Object.fromEntries(fields) as Record<string, z.ZodMiniType>),
    logo: z.custom<PictureChange>(),
  }) as unknown as z.ZodMiniType<CheckedSettings, TypedSettings>;
}

const typedOf = (names: readonly TextSetting[], settings: Settings): TypedSettings => ({
  ...Object.fromEntries(names.map((name) => [name, String(settings[name].value ?? '')])),
  logo: unchanged,
});

/** What the environment sets is told with the variable that does. */
export function lockOf(settings: Settings, name: SettingName): string | null {
  const variable = name in settingVariables && settingVariables[name as keyof typeof settingVariables];
  return settings[name].locked && variable ? `Set by ${variable} in the environment of the server` : null;
}

export interface SettingsForm {
  register: UseFormRegister<TypedSettings>;
  /** What is typed of a setting. */
  text: (name: TextSetting) => string | undefined;
  /** What a Field of this setting takes. */
  field: (
    name: SettingName,
    hint?: string,
  ) => { error: string | undefined; disabled: boolean; hint: string | undefined };
  logo: PictureChange;
  chooseLogo: (logo: PictureChange) => void;
  settings: Settings;
  changed: boolean;
  saving: boolean;
  /** Why it was not saved, where it is not the fault of a single field. */
  formError: string | undefined;
  onSubmit: (event: FormEvent) => void;
  discard: () => void;
}

/** A form of some settings. Until something is typed it follows what others save. @param section names what is typed into it */
export function useSettingsForm(section: string, names: readonly TextSetting[], current: Settings): SettingsForm {
  const [settings, setSettings] = useState(current);
  const saving = useSaveSettings();
  const form = useForm(formOf(names, settings), submit, {
    initial: typedOf(names, settings),
    refusal: saving.error,
    draft: `settings ${section}`,
  });
  const { changed, saved } = form;
  const { errors, dirtyFields } = form.formState;

  const shown = useRef(current);
  function show(from: Settings) {
    shown.current = from;
    saved(typedOf(names, from));
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
