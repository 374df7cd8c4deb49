import * as z from 'zod/mini';
import { Instant, blankToNull, text } from './common.ts';
import { group } from './endpoint.ts';
import { ImageInput } from './images.ts';
import { PublicRecipient } from './tracking.ts';
import { SignUpPolicy } from './users.ts';
import { TimeZone } from './zones.ts';

/** How long after its delivery a package still shows recipient and places to whoever holds the tracking ID. Nobody changes that. */
export const publicForDays = 30;

/** What cannot be set here, because the environment does. The others have no variable. */
export const settingVariables = {
  adminSignUp: 'ADMIN_SIGNUP',
  driverSignUp: 'DRIVER_SIGNUP',
  adminTotp: 'ADMIN_TOTP',
  publicRecipient: 'PUBLIC_RECIPIENT',
  timeZone: 'TIME_ZONE',
  notificationDays: 'RETENTION_NOTIFICATIONS_DAYS',
  messageDays: 'RETENTION_MESSAGES_DAYS',
  recipientDays: 'RETENTION_RECIPIENT_DAYS',
} as const satisfies Partial<Record<SettingName, string>>;

/** Where a value comes from. The environment wins over the settings, and these over the default. */
export const SettingSource = z.enum(['environment', 'settings', 'default']);
export type SettingSource = z.output<typeof SettingSource>;

/** Whether administrators need a second factor before anything else works. */
export const AdminTotp = z.enum(['required', 'optional'], 'must be required or optional');
export type AdminTotp = z.output<typeof AdminTotp>;

const setting = <T extends z.ZodMiniType>(value: T) =>
  z.object({
    value,
    source: SettingSource,
    /** Set by the environment: it is changed there, and takes a new start. */
    locked: z.boolean(),
  });

export const Settings = z.object({
  version: z.int(),
  updatedAt: Instant,
  organisationName: setting(z.string()),
  /** The address of a picture. */
  logo: setting(z.nullable(z.string())),
  /** Whose days figures are of, and by which is judged what is on time. */
  timeZone: setting(z.string()),
  adminSignUp: setting(SignUpPolicy),
  driverSignUp: setting(SignUpPolicy),
  adminTotp: setting(AdminTotp),
  publicRecipient: setting(PublicRecipient),
  /** How long notifications stay after they were read. */
  notificationDays: setting(z.int()),
  /** How long messages of the contact form stay after they were resolved. */
  messageDays: setting(z.int()),
  /** How long recipient and proof stay after the delivery; null: for good. */
  recipientDays: setting(z.nullable(z.int())),
  importReportDays: setting(z.int()),
});
export type Settings = z.output<typeof Settings>;
export type SettingName = Exclude<keyof Settings, 'version' | 'updatedAt'>;

const Days = z
  .int('Must be a whole number of days')
  .check(z.minimum(1, 'Must be at least 1 day'), z.maximum(36_500, 'Must be at most 36500 days'));

/** What is left out stays, null goes back to the default. A setting that the environment sets is refused. */
export const SettingsInput = z.strictObject({
  /** The version that the change was made on: an older one than the present is refused. */
  version: z.optional(z.int().check(z.minimum(0))),
  organisationName: z.optional(
    blankToNull(
      text('Organisation name', { min: 2, max: 120, tooShort: 'Organisation name must be at least 2 characters' }),
    ),
  ),
  logo: z.optional(blankToNull(ImageInput)),
  timeZone: z.optional(blankToNull(TimeZone)),
  adminSignUp: z.optional(z.nullable(SignUpPolicy)),
  driverSignUp: z.optional(z.nullable(SignUpPolicy)),
  adminTotp: z.optional(z.nullable(AdminTotp)),
  publicRecipient: z.optional(z.nullable(PublicRecipient)),
  notificationDays: z.optional(z.nullable(Days)),
  messageDays: z.optional(z.nullable(Days)),
  recipientDays: z.optional(z.nullable(Days)),
  importReportDays: z.optional(z.nullable(Days)),
});
export type SettingsInput = z.output<typeof SettingsInput>;

/** Who runs this installation, as everybody sees it. */
export const Organisation = z.object({ name: z.string(), logo: z.nullable(z.string()), timeZone: z.string() });
export type Organisation = z.output<typeof Organisation>;

const configurers = { access: { anyOf: ['admin.system_config'] }, scope: 'everything' } as const;

export const settings = group({
  read: { method: 'GET', path: '/settings', ...configurers, reply: Settings },
  /** In force with the next request, on every server. Who opens the sign-up of administrators has to hold every permission. */
  update: {
    method: 'PUT',
    path: '/settings',
    ...configurers,
    body: SettingsInput,
    reply: Settings,
    // Who may open the sign-up of administrators need not be asked for anybody's rights any more.
    reauthenticate: true,
    errors: ['stale', 'precondition_failed'],
  },
  /** Pages carry it with them; this is for those that are open while it changes. */
  organisation: { method: 'GET', path: '/organisation', access: 'public', scope: 'none', reply: Organisation },
});
