import {
  settingVariables,
  type AdminTotp,
  type Organisation,
  type PublicRecipient,
  type SettingName,
  type SettingSource,
  type SignUpPolicy,
} from '@waybill/contract';
import type { Config } from '../config.ts';
import { imageUrl } from '../images/names.ts';
import type { Queryable } from '../platform/database/db.ts';
import { findSettings, type StoredSettings } from './queries.ts';

/** What holds now. `logo` is a path in the storage, `recipientDays` null for good. */
export interface EffectiveSettings {
  organisationName: string;
  logo: string | null;
  timeZone: string;
  adminSignUp: SignUpPolicy;
  driverSignUp: SignUpPolicy;
  adminTotp: AdminTotp;
  publicRecipient: PublicRecipient;
  notificationDays: number;
  messageDays: number;
  recipientDays: number | null;
  importReportDays: number;
  /** Nobody has chosen these: they are as open as the default is, which is for this machine alone. */
  openByDefault: readonly SettingName[];
}

/** Strangers may sign up with rights only where nobody but this machine can be a stranger. */
function defaultsFor({ onlyLocal }: Config): EffectiveSettings {
  const signUp = onlyLocal ? 'open' : 'approval';
  return {
    organisationName: 'Waybill',
    logo: null,
    timeZone: 'UTC',
    adminSignUp: signUp,
    driverSignUp: signUp,
    adminTotp: 'optional',
    publicRecipient: 'full',
    notificationDays: 180,
    messageDays: 180,
    recipientDays: null,
    importReportDays: 90,
    openByDefault: [],
  };
}

const isSet = ([, value]: [string, unknown]) => value !== undefined && value !== null;

/** Of one source, only what it sets. */
const setBy = (values: object) => Object.fromEntries(Object.entries(values).filter(isSet));

const environmentOf = (config: Config) =>
  setBy(Object.fromEntries(Object.entries(settingVariables).map(([name, variable]) => [name, config[variable]])));

/** The one place that says which of two sources wins. */
export const resolveSettings = (config: Config, stored: StoredSettings): EffectiveSettings => ({
  ...defaultsFor(config),
  ...setBy(stored),
  ...environmentOf(config),
  openByDefault: config.onlyLocal
    ? (['adminSignUp', 'driverSignUp'] as const).filter((name) => sourceOf(config, stored, name) === 'default')
    : [],
});

export function sourceOf(config: Config, stored: StoredSettings, name: SettingName): SettingSource {
  if (name in environmentOf(config)) return 'environment';
  return stored[name] === null ? 'default' : 'settings';
}

export const organisationOf = ({ organisationName, logo, timeZone }: EffectiveSettings): Organisation => ({
  name: organisationName,
  logo: logo && imageUrl(logo),
  timeZone,
});

/** The one place that everything reads which goes by a setting. */
export interface SettingsReader {
  find(): Promise<EffectiveSettings>;
  /** As they were last read: for what has to be drawn even while the database does not answer. */
  last(): EffectiveSettings;
  /** Asks the database again: somebody changed them. */
  forget(): void;
}

/** Whose days are meant: the organisation's, unless others are asked for. */
export const zoneOf = async (
  settings: Pick<SettingsReader, 'find'>,
  { zone }: { zone?: string | undefined },
): Promise<string> => zone ?? (await settings.find()).timeZone;

/** For what has to be drawn even while the database does not answer: then as it was last read. */
export const readOrganisation = async (settings: SettingsReader): Promise<Organisation> =>
  organisationOf(await settings.find().catch(() => settings.last()));

/** How long they are remembered at most, should nobody say that they changed. */
const rememberedMs = 5000;

/** Settings, remembered for a moment: each public lookup goes by them. */
export async function openSettings(db: Queryable, config: Config): Promise<SettingsReader> {
  const readNow = async () => resolveSettings(config, (await findSettings(db)).stored);
  let last = await readNow();
  let until = performance.now() + rememberedMs;
  let reading: Promise<EffectiveSettings> | null = null;
  let forgotten = 0;

  const read = async (): Promise<EffectiveSettings> => {
    const [before, askedAt] = [forgotten, performance.now()];
    try {
      const settings = await readNow();
      // What was read while something changed may be from before.
      if (before === forgotten) [last, until] = [settings, askedAt + rememberedMs];
      return settings;
    } finally {
      if (before === forgotten) reading = null;
    }
  };
  return {
    find: async () => (performance.now() < until ? last : (reading ??= read())),
    last: () => last,
    forget() {
      forgotten++;
      until = 0;
      reading = null;
    },
  };
}
