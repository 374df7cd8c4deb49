import * as z from 'zod/mini';
import { Email, Instant, blankToNull, text } from './common.ts';
import { group } from './endpoint.ts';
import { ImageInput } from './images.ts';
import { PublicRecipient } from './tracking.ts';
import { SignUpPolicy } from './users.ts';
import { TimeZone } from './zones.ts';

/** How many days after delivery the public tracker still shows recipient and locations. Not configurable. */
export const publicForDays = 30;

/** The environment variable that overrides each setting. Settings that are not listed have none. */
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

/** Where a value comes from. Precedence: environment, settings, default. */
export const SettingSource = z.enum(['environment', 'settings', 'default']);
export type SettingSource = z.output<typeof SettingSource>;

/** Whether administrators need a second factor before anything else works. */
export const AdminTotp = z.enum(['required', 'optional'], 'must be required or optional');
export type AdminTotp = z.output<typeof AdminTotp>;

const setting = <T extends z.ZodMiniType>(value: T) =>
  z.object({
    value,
    source: SettingSource,
    /** Set by an environment variable: to change it, change the variable and restart. */
    locked: z.boolean(),
  });

export const Settings = z.object({
  version: z.int(),
  updatedAt: Instant,
  organisationName: setting(z.string()),
  /** The URL of an image. */
  logo: setting(z.nullable(z.string())),
  /** Where answers to emails go; null: to their sender. */
  replyAddress: setting(z.nullable(z.string())),
  /** The zone of the days in figures, and the one that decides what is on time. */
  timeZone: setting(z.string()),
  adminSignUp: setting(SignUpPolicy),
  driverSignUp: setting(SignUpPolicy),
  adminTotp: setting(AdminTotp),
  publicRecipient: setting(PublicRecipient),
  /** How long read notifications are retained. */
  notificationDays: setting(z.int()),
  /** How long resolved messages of the contact form are retained. */
  messageDays: setting(z.int()),
  /** How long recipient and proof are retained after the delivery; null: forever. */
  recipientDays: setting(z.nullable(z.int())),
  importReportDays: setting(z.int()),
  /** What driving costs; null: costs are not shown. Of kilometres and hours of driving, in `currency`. */
  costPerKilometre: setting(z.nullable(z.number())),
  costPerHour: setting(z.nullable(z.number())),
  /** A code of ISO 4217. */
  currency: setting(z.string()),
});
export type Settings = z.output<typeof Settings>;
export type SettingName = Exclude<keyof Settings, 'version' | 'updatedAt'>;

const Days = z
  .int('Must be a whole number of days')
  .check(z.minimum(1, 'Must be at least 1 day'), z.maximum(36_500, 'Must be at most 36500 days'));

const Cost = z
  .number('Must be an amount')
  .check(z.minimum(0, 'Must be at least 0'), z.maximum(10_000, 'Must be at most 10000'));
const Currency = z
  .string()
  .check(z.trim(), z.toUpperCase(), z.regex(/^(?:[A-Z]{3})?$/, 'Must be a code of three letters, such as EUR'));

/** Omitted settings keep their value, null resets to the default. A setting that the environment sets is rejected. */
export const SettingsInput = z.strictObject({
  /** Optimistic lock: the version that the change is based on. An older one than the current version is rejected. */
  version: z.optional(z.int().check(z.minimum(0))),
  organisationName: z.optional(
    blankToNull(
      text('Organisation name', { min: 2, max: 120, tooShort: 'Organisation name must be at least 2 characters' }),
    ),
  ),
  logo: z.optional(blankToNull(ImageInput)),
  replyAddress: z.optional(blankToNull(Email)),
  timeZone: z.optional(blankToNull(TimeZone)),
  adminSignUp: z.optional(z.nullable(SignUpPolicy)),
  driverSignUp: z.optional(z.nullable(SignUpPolicy)),
  adminTotp: z.optional(z.nullable(AdminTotp)),
  publicRecipient: z.optional(z.nullable(PublicRecipient)),
  notificationDays: z.optional(z.nullable(Days)),
  messageDays: z.optional(z.nullable(Days)),
  recipientDays: z.optional(z.nullable(Days)),
  importReportDays: z.optional(z.nullable(Days)),
  costPerKilometre: z.optional(z.nullable(Cost)),
  costPerHour: z.optional(z.nullable(Cost)),
  currency: z.optional(blankToNull(Currency)),
});
export type SettingsInput = z.output<typeof SettingsInput>;

/** The organisation that runs this installation; public. */
export const Organisation = z.object({ name: z.string(), logo: z.nullable(z.string()), timeZone: z.string() });
export type Organisation = z.output<typeof Organisation>;

const configAccess = { access: { anyOf: ['admin.system_config'] }, scope: 'everything' } as const;

export const settings = group({
  read: { method: 'GET', path: '/settings', ...configAccess, reply: Settings },
  /** Effective from the next request, on every server. Opening the sign-up of administrators requires every permission. */
  update: {
    method: 'PUT',
    path: '/settings',
    ...configAccess,
    body: SettingsInput,
    reply: Settings,
    // Opening the sign-up of administrators is as powerful as granting any user every right.
    reauthenticate: true,
    errors: ['stale', 'precondition_failed'],
  },
  /** Pages have it embedded; this is for pages that are open while it changes. */
  organisation: { method: 'GET', path: '/organisation', access: 'public', scope: 'none', reply: Organisation },
});
