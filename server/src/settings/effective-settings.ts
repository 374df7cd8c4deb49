import {
  settingVariables,
  type AdminTotp,
  type CostRates,
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

/** The settings in effect. `logo` is a path in the image store; `recipientDays` null means that recipients are kept for good. */
export interface EffectiveSettings {
  organisationName: string;
  logo: string | null;
  replyAddress: string | null;
  timeZone: string;
  adminSignUp: SignUpPolicy;
  driverSignUp: SignUpPolicy;
  adminTotp: AdminTotp;
  publicRecipient: PublicRecipient;
  notificationDays: number;
  messageDays: number;
  recipientDays: number | null;
  importReportDays: number;
  costPerKilometre: number | null;
  costPerHour: number | null;
  currency: string;
  /** Sign-up policies that are open only by default: they apply to requests from this machine alone. */
  openByDefault: readonly SettingName[];
}

/** Open sign-up of drivers and administrators is safe only while the server is reachable from this machine alone. */
function defaultsFor({ onlyLocal }: Config): EffectiveSettings {
  const signUp = onlyLocal ? 'open' : 'approval';
  return {
    organisationName: 'Waybill',
    logo: null,
    replyAddress: null,
    timeZone: 'UTC',
    adminSignUp: signUp,
    driverSignUp: signUp,
    adminTotp: 'optional',
    publicRecipient: 'full',
    notificationDays: 180,
    messageDays: 180,
    recipientDays: null,
    importReportDays: 90,
    costPerKilometre: null,
    costPerHour: null,
    currency: 'EUR',
    openByDefault: [],
  };
}

const isSet = ([, value]: [string, unknown]) => value !== undefined && value !== null;

/** Only the values that a source sets. */
const setBy = (values: object) => Object.fromEntries(Object.entries(values).filter(isSet));

const environmentOf = (config: Config) =>
  setBy(Object.fromEntries(Object.entries(settingVariables).map(([name, variable]) => [name, config[variable]])));

/** Precedence, in this one place: environment, then stored settings, then defaults. */
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

/** What driving costs; null where nobody has said it. */
export const ratesOf = ({ costPerKilometre, costPerHour, currency }: EffectiveSettings): CostRates | null =>
  costPerKilometre === null && costPerHour === null
    ? null
    : { perKilometre: costPerKilometre ?? 0, perHour: costPerHour ?? 0, currency };

/** Cached access to the effective settings. */
export interface SettingsReader {
  find(): Promise<EffectiveSettings>;
  /** As last read, without a query: for pages that are rendered even while the database does not answer. */
  last(): EffectiveSettings;
  /** Invalidates the cache. */
  forget(): void;
}

/** The requested time zone, else the organisation's. */
export const zoneOf = async (
  settings: Pick<SettingsReader, 'find'>,
  { zone }: { zone?: string | undefined },
): Promise<string> => zone ?? (await settings.find()).timeZone;

/** The organisation, as last read if the database does not answer: pages must render even then. */
export const readOrganisation = async (settings: SettingsReader): Promise<Organisation> =>
  organisationOf(await settings.find().catch(() => settings.last()));

/** TTL of the cache. Events invalidate it earlier; this bounds staleness when they do not arrive. */
const cacheTtlMs = 5000;

/** Opens the cached settings: each public lookup needs them. */
export async function openSettings(db: Queryable, config: Config): Promise<SettingsReader> {
  const readNow = async () => resolveSettings(config, (await findSettings(db)).stored);
  let last = await readNow();
  let expiresAt = performance.now() + cacheTtlMs;
  /** Concurrent reads share one query. */
  let reading: Promise<EffectiveSettings> | null = null;
  /** Counts invalidations. */
  let generation = 0;

  const read = async (): Promise<EffectiveSettings> => {
    const [before, startedAt] = [generation, performance.now()];
    try {
      const settings = await readNow();
      // A read that an invalidation overtook may be stale: do not cache it.
      if (before === generation) [last, expiresAt] = [settings, startedAt + cacheTtlMs];
      return settings;
    } finally {
      if (before === generation) reading = null;
    }
  };
  return {
    find: async () => (performance.now() < expiresAt ? last : (reading ??= read())),
    last: () => last,
    forget() {
      generation++;
      expiresAt = 0;
      reading = null;
    },
  };
}
