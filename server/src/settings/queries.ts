import type { AdminTotp, PublicRecipient, SignUpPolicy } from '@waybill/contract';
import type { Queryable, Tx } from '../platform/database/db.ts';

/** The stored settings; null means not set. `logo` is a path in the image store. */
export interface StoredSettings {
  organisationName: string | null;
  logo: string | null;
  replyAddress: string | null;
  timeZone: string | null;
  adminSignUp: SignUpPolicy | null;
  driverSignUp: SignUpPolicy | null;
  adminTotp: AdminTotp | null;
  publicRecipient: PublicRecipient | null;
  notificationDays: number | null;
  messageDays: number | null;
  recipientDays: number | null;
  importReportDays: number | null;
  costPerKilometre: number | null;
  costPerHour: number | null;
  currency: string | null;
}

export interface SettingsRow {
  version: number;
  updatedAt: Date;
  stored: StoredSettings;
}

const columns = `version, updated_at as "updatedAt", json_build_object('organisationName', organisation_name, 'logo', logo, 'replyAddress', reply_address, 'timeZone', time_zone,
  'adminSignUp', admin_sign_up, 'driverSignUp', driver_sign_up, 'adminTotp', admin_totp, 'publicRecipient', public_recipient,
  'notificationDays', notification_days, 'messageDays', message_days, 'recipientDays', recipient_days, 'importReportDays', import_report_days,
  'costPerKilometre', cost_per_kilometre, 'costPerHour', cost_per_hour, 'currency', currency) as stored`;

const only = (rows: SettingsRow[]): SettingsRow => {
  const [row] = rows;
  if (!row) throw new Error('the row of the settings is missing');
  return row;
};

export const findSettings = async (db: Queryable): Promise<SettingsRow> =>
  only(await db.query<SettingsRow>(`select ${columns} from settings`));

export const lockSettings = async (tx: Tx): Promise<SettingsRow> =>
  only(await tx.query<SettingsRow>(`select ${columns} from settings for update`));

export const setSettings = async (tx: Tx, stored: StoredSettings): Promise<SettingsRow> =>
  only(
    await tx.query<SettingsRow>(
      `update settings set version = version + 1, updated_at = now(), organisation_name = $1, logo = $2, admin_sign_up = $3,
         driver_sign_up = $4, public_recipient = $5, notification_days = $6, message_days = $7, recipient_days = $8, import_report_days = $9,
         admin_totp = $10, time_zone = $11, reply_address = $12, cost_per_kilometre = $13, cost_per_hour = $14, currency = $15
       returning ${columns}`,
      [
        stored.organisationName,
        stored.logo,
        stored.adminSignUp,
        stored.driverSignUp,
        stored.publicRecipient,
        stored.notificationDays,
        stored.messageDays,
        stored.recipientDays,
        stored.importReportDays,
        stored.adminTotp,
        stored.timeZone,
        stored.replyAddress,
        stored.costPerKilometre,
        stored.costPerHour,
        stored.currency,
      ],
    ),
  );
