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
import { changeRights, refuseGrant } from '../users/rights.ts';
import { resolveSettings, sourceOf } from './effective-settings.ts';
import { findSettings, lockSettings, setSettings, type SettingsRow, type StoredSettings } from './queries.ts';

const keeper = 'settings:logo';

export const readSettings = async (ctx: Ctx): Promise<Settings> => asSettings(ctx.config, await findSettings(ctx.db));

function asSettings(config: Config, { version, updatedAt, stored }: SettingsRow): Settings {
  const inForce = resolveSettings(config, stored);
  const told = <V>(name: SettingName, value: V) => {
    const source = sourceOf(config, stored, name);
    return { value, source, locked: source === 'environment' };
  };
  return {
    version,
    updatedAt: updatedAt.toISOString(),
    organisationName: told('organisationName', inForce.organisationName),
    logo: told('logo', inForce.logo && imageUrl(inForce.logo)),
    timeZone: told('timeZone', inForce.timeZone),
    adminSignUp: told('adminSignUp', inForce.adminSignUp),
    driverSignUp: told('driverSignUp', inForce.driverSignUp),
    adminTotp: told('adminTotp', inForce.adminTotp),
    publicRecipient: told('publicRecipient', inForce.publicRecipient),
    notificationDays: told('notificationDays', inForce.notificationDays),
    messageDays: told('messageDays', inForce.messageDays),
    recipientDays: told('recipientDays', inForce.recipientDays),
    importReportDays: told('importReportDays', inForce.importReportDays),
  };
}

/** A change of some settings, in force with the next request in every process. One at a time, with all other changes of rights. */
export async function updateSettings(
  ctx: Ctx,
  actor: Actor,
  { version, logo: sentLogo, ...input }: SettingsInput,
  ifMatch: EditedVersion['ifMatch'],
): Promise<Settings> {
  refuseLocked(ctx.config, input);
  const logo = sentLogo && (await processUpload(ctx, actor, sentLogo, 'branding', keeper, 'logo'));
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
    // Whoever opens this lets everybody have what they can grant only while they hold it.
    const isOpen = (stored: StoredSettings) => resolveSettings(ctx.config, stored).adminSignUp === 'open';
    if (isOpen(next) && !isOpen(before.stored)) refuseGrant(permissions, held);
    const after = await setSettings(tx, next);
    if ('logo' in changes) await attachImages(tx, actor, keeper, next.logo ? [next.logo] : [], 'logo');
    await record(tx, { type: 'settings.changed', at: ctx.now(), actorId: actor.id, changes });
    return after;
  });
  // Here before the answer goes out; in the other processes when the feed tells them.
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
