import { permissions, settingVariables, type SettingName, type Settings, type SettingsInput } from '@waybill/contract';
import type { Config } from '../config.ts';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import type { Changes } from '../events/event-types.ts';
import { processUpload, attachImages } from '../images/service.ts';
import { imageUrl } from '../images/names.ts';
import { forbidden, invalid } from '../platform/errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { assertCurrent, type EditedVersion } from '../platform/http/optimistic-lock.ts';
import { assertCanGrant, changeRights } from '../users/rights.ts';
import { resolveSettings, sourceOf } from './effective-settings.ts';
import { findSettings, lockSettings, setSettings, type SettingsRow, type StoredSettings } from './queries.ts';

const attachedTo = 'settings:logo';

export const readSettings = async (ctx: Ctx): Promise<Settings> => asSettings(ctx.config, await findSettings(ctx.db));

function asSettings(config: Config, { version, updatedAt, stored }: SettingsRow): Settings {
  const effective = resolveSettings(config, stored);
  const withSource = <V>(name: SettingName, value: V) => {
    const source = sourceOf(config, stored, name);
    return { value, source, locked: source === 'environment' };
  };
  return {
    version,
    updatedAt: updatedAt.toISOString(),
    organisationName: withSource('organisationName', effective.organisationName),
    logo: withSource('logo', effective.logo && imageUrl(effective.logo)),
    replyAddress: withSource('replyAddress', effective.replyAddress),
    timeZone: withSource('timeZone', effective.timeZone),
    adminSignUp: withSource('adminSignUp', effective.adminSignUp),
    driverSignUp: withSource('driverSignUp', effective.driverSignUp),
    adminTotp: withSource('adminTotp', effective.adminTotp),
    publicRecipient: withSource('publicRecipient', effective.publicRecipient),
    notificationDays: withSource('notificationDays', effective.notificationDays),
    messageDays: withSource('messageDays', effective.messageDays),
    recipientDays: withSource('recipientDays', effective.recipientDays),
    importReportDays: withSource('importReportDays', effective.importReportDays),
    costPerKilometre: withSource('costPerKilometre', effective.costPerKilometre),
    costPerHour: withSource('costPerHour', effective.costPerHour),
    currency: withSource('currency', effective.currency),
  };
}

/**
 * Updates some settings, effective with the next request in this process, and in others with the event. Serialized with changes of rights.
 * @throws stale or precondition_failed when `version` or `ifMatch` is outdated; invalid for a setting that the environment sets
 */
export async function updateSettings(
  ctx: Ctx,
  actor: Actor,
  { version, logo: sentLogo, ...input }: SettingsInput,
  ifMatch: EditedVersion['ifMatch'],
): Promise<Settings> {
  refuseLocked(ctx.config, input);
  const logo = sentLogo && (await processUpload(ctx, actor, sentLogo, 'branding', attachedTo, 'logo'));
  const row = await changeRights(ctx, actor, async (tx, held) => {
    if (!held.includes('admin.system_config')) throw forbidden();
    const before = await lockSettings(tx);
    assertCurrent(
      before.version,
      { version, ifMatch },
      'The settings were changed in the meantime. Please load them again.',
    );
    const next = { ...before.stored, ...withoutUndefined({ ...input, logo }) };
    const changes = changesOf(before.stored, next);
    if (Object.keys(changes).length === 0) return before;
    // Opening the sign-up of administrators grants all permissions to anybody, so the caller must hold them all.
    const isOpen = (stored: StoredSettings) => resolveSettings(ctx.config, stored).adminSignUp === 'open';
    if (isOpen(next) && !isOpen(before.stored)) assertCanGrant(permissions, held);
    const after = await setSettings(tx, next);
    if ('logo' in changes) await attachImages(tx, actor, attachedTo, next.logo ? [next.logo] : [], 'logo');
    await record(tx, { type: 'settings.changed', at: ctx.now(), actorId: actor.id, changes });
    return after;
  });
  // Invalidate this process's cache before the reply; the event feed invalidates those of other processes.
  ctx.settings.forget();
  return asSettings(ctx.config, row);
}

function refuseLocked(config: Config, input: object): void {
  const locked = Object.entries(settingVariables).filter(
    ([name, variable]) => name in input && config[variable] !== undefined,
  );
  const messageOf = (variable: string) => `This is set by ${variable} in the environment of the server`;
  if (locked.length > 0)
    throw invalid(Object.fromEntries(locked.map(([name, variable]) => [name, messageOf(variable)])));
}

const withoutUndefined = <T extends object>(given: T) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

function changesOf(before: StoredSettings, after: StoredSettings): Changes {
  const names = Object.keys(before) as SettingName[];
  return Object.fromEntries(
    names.filter((name) => before[name] !== after[name]).map((name) => [name, [before[name], after[name]]]),
  );
}
