import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { AdminTotp, PublicRecipient, SignUpPolicy, TimeZone } from '@waybill/contract';
import { z } from 'zod';
import { isLoopback } from './platform/origin/addresses.ts';
import { readDatabaseUrl, type Connection } from './platform/database/database-url.ts';
import { readProxies, type TrustsProxy } from './platform/origin/proxies.ts';
import { routerKinds } from './travel/router.ts';
import { geocoderKinds } from './places/geocoder.ts';
import { readLimits, type Limits } from './platform/load/rate-limits.ts';
import { rateLimits, retiredRateLimits, type RateLimit } from './rate-limits.ts';

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);
const onOff = z
  .enum(['1', '0', 'on', 'off', 'true', 'false'], "must be 'on' or 'off'")
  .transform((text) => /^(1|on|true)$/.test(text));
const databaseAddress = z.string().superRefine((text, context) => {
  const read = readDatabaseUrl(text);
  if (typeof read === 'string') context.addIssue(read);
});
const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

const mailServer = z.string().superRefine((text, context) => {
  const parsed = URL.parse(text);
  if (!parsed || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '')
    context.addIssue('must be an smtp:// or smtps:// address');
});

/** Every setting with its default and description. A test keeps the table in docs/operations.md and .env.example in sync with it. */
export const ConfigSchema = z.object({
  HOST: z
    .string()
    .regex(/^[\w.:%[\]-]+$/, 'must be a host name or an IP address')
    .default('127.0.0.1')
    .describe('Address to listen on'),
  PORT: wholeNumber(0, 65_535).default(3000).describe('Port to listen on; 0 picks a free one'),
  DATA_DIR: z.string().min(1).default('./data').describe('Folder of the embedded database and of uploads'),
  DATABASE_URL: databaseAddress
    .optional()
    .describe(
      'PostgreSQL 15 or later to use, or several servers of which one takes writes; unset: an embedded one under DATA_DIR',
    ),
  DATABASE_DIRECT_URL: databaseAddress
    .optional()
    .describe('Its own address where DATABASE_URL is that of a pooler: for listening, migrations and locks'),
  DATABASE_READ_URL: databaseAddress
    .optional()
    .describe('A standby of the same database that answers lookups, statistics and exports once it has caught up'),
  POOL_SIZE: wholeNumber(2, 500)
    .optional()
    .describe('Database connections of one process that serve requests; unset: 10, or what WORKERS leave of 80'),
  PUBLIC_URL: webAddress
    .optional()
    .describe(
      'Address under which people reach the product, for links; outside a loopback address none are made without it',
    ),
  ADMIN_SIGNUP: z.optional(SignUpPolicy).describe('Who may register as an administrator: open, approval or closed'),
  DRIVER_SIGNUP: z.optional(SignUpPolicy).describe('Who may register as a driver: open, approval or closed'),
  ADMIN_TOTP: z
    .optional(AdminTotp)
    .describe('Whether administrators need a second factor: required or optional; unset: optional'),
  ADMIN_EMAIL: z
    .email('must be an email address')
    .optional()
    .describe('First administrator, made at a start that finds none'),
  ADMIN_PASSWORD: z
    .string()
    .min(6, 'must have at least 6 characters')
    .max(128)
    .optional()
    .describe("That administrator's password"),
  PUBLIC_RECIPIENT: z
    .optional(PublicRecipient)
    .describe("The recipient's name on the public page: full, masked (first name and initial) or hidden; unset: full"),
  TIME_ZONE: z
    .optional(TimeZone)
    .describe(
      'Zone of the organisation, whose days figures are of and deliveries are on time by, such as Europe/Berlin; unset: UTC',
    ),
  STOP_MINUTES: wholeNumber(1, 240)
    .default(10)
    .describe('Minutes from one stop of a route to the next, for the expected arrivals'),
  MAX_ATTEMPTS: wholeNumber(1, 20).default(3).describe('Failed attempts after which a package goes back to its owner'),
  CHANGE_CUTOFF_STOPS: wholeNumber(0, 100)
    .default(3)
    .describe('How many stops away a package is when its recipient can no longer change the delivery'),
  RECIPIENT_QUIET_HOURS: z
    .string()
    .regex(/^(?:off|([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d)$/, 'must be such as 21:00-07:00, or off')
    .default('21:00-07:00')
    .describe(
      "When recipients of packages get no messages, in the organisation's zone; off: they get them at any time",
    ),
  DEMO: onOff.default(true).describe('Demo data in an empty embedded database, on a loopback address only'),
  RATE_LIMITS: z
    .string()
    .default('on')
    .transform((text, context): Limits<RateLimit> | null => {
      const limits = readLimits(text, rateLimits, retiredRateLimits);
      if (typeof limits !== 'string') return limits;
      context.addIssue(limits);
      return null;
    })
    .describe(
      'Limits on requests: on, off (only for load tests), or those to change, such as create=600/60 exports=100/3600',
    ),
  LOAD_SHEDDING: onOff
    .default(true)
    .describe('Turn away what is more than a process can carry at once; off only for load tests'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be a level such as info or warn')
    .default('info')
    .describe('How much to log'),
  LOG_FORMAT: z
    .enum(['auto', 'json', 'text'], "must be 'auto', 'json' or 'text'")
    .default('auto')
    .describe('How a line of the log looks: json, text for people, or auto: text on a terminal, json elsewhere'),
  LOG_REQUESTS: z
    .enum(['off', 'refused', 'all'], "must be 'off', 'refused' or 'all'")
    .default('off')
    .describe(
      "Log a line for each request that is refused (4xx), or for all, with the caller's address (for fail2ban)",
    ),
  METRICS_PORT: wholeNumber(1, 65_535)
    .optional()
    .describe(
      'Port of its own for /metrics (Prometheus); further workers count up from it. Without METRICS_TOKEN on a loopback address only',
    ),
  METRICS_TOKEN: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('Serves /metrics to whoever sends it as a bearer token'),
  TRUST_PROXY: z
    .string()
    .default('off')
    .transform((text, context): TrustsProxy | false => {
      const trusts = readProxies(text);
      if (trusts !== null) return trusts;
      context.addIssue('must be on, off, or addresses and networks such as loopback 10.0.0.0/8');
      return false;
    })
    .describe(
      "Whose X-Forwarded-For to believe: off, a list of addresses and networks (also loopback, linklocal, uniquelocal), or on for whoever connects; 'on' only where nobody but one proxy can",
    ),
  API_DOCS: onOff.default(true).describe('Serve the reference of the API, /api/docs and /api/openapi.json'),
  S3_ENDPOINT: webAddress.optional().describe('Address of an S3-compatible store, for other stores than AWS'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the S3 bucket'),
  S3_BUCKET: z.string().min(1).optional().describe('Bucket for images; unset: files under DATA_DIR'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional().describe('Key that may read, write, list and delete in the bucket'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe("That key's secret"),
  S3_PUBLIC_URL: webAddress
    .optional()
    .describe('Address at which everybody can read the bucket; unset: images are passed on by the server'),
  RETENTION_NOTIFICATIONS_DAYS: wholeNumber(1, 36_500)
    .optional()
    .describe('How many days notifications stay after they were read; unset: 180'),
  RETENTION_MESSAGES_DAYS: wholeNumber(1, 36_500)
    .optional()
    .describe('How many days messages of the contact form stay after they were resolved; unset: 180'),
  RETENTION_RECIPIENT_DAYS: wholeNumber(1, 36_500)
    .optional()
    .describe(
      "How many days a recipient's name, contact, address and proof stay after the delivery or, without one, the last change; unset: for good",
    ),
  RETENTION_POSITIONS_DAYS: wholeNumber(1, 3650)
    .default(30)
    .describe('How many days the positions of drivers are kept'),
  BACKUP_KEY: z
    .string()
    .min(16, 'must have at least 16 characters')
    .max(1000)
    .optional()
    .describe('Key that signs backups; unset: that of backup.key under DATA_DIR, made by the first backup'),
  SMTP_URL: mailServer
    .optional()
    .describe(
      'Mail server, such as smtp://user:password@mail.example.com:587, or smtps:// for TLS from the start; unset: emails are held in the outbox',
    ),
  MAIL_FROM: z
    .string()
    .regex(/^([^<>]*<)?[^\s<>@,]+@[^\s<>@,]+>?$/, 'must be an email address, with or without a name')
    .optional()
    .describe('Sender of emails, such as Parcels <parcels@example.com>'),
  MAIL_CALLBACK_TOKEN: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('Secret that signs what is reported about emails at /callbacks/mail, such as bounces; unset: nothing is'),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-fA-F]{32}$/, 'must be AC and 32 hexadecimal digits')
    .optional()
    .describe('Account with Twilio that sends text messages; unset, and without SMS_URL: they are held in the outbox'),
  TWILIO_AUTH_TOKEN: z.string().min(1).optional().describe("That account's token"),
  TWILIO_FROM: z
    .string()
    .regex(
      /^(\+[1-9]\d{6,14}|MG[0-9a-fA-F]{32})$/,
      'must be a phone number such as +4915112345678, or the id of a messaging service',
    )
    .optional()
    .describe('Number or messaging service that text messages come from'),
  TWILIO_URL: webAddress
    .default('https://api.twilio.com')
    .describe("Address of Twilio's interface, for another region"),
  SMS_URL: webAddress
    .optional()
    .describe('Gateway that sends text messages, instead of Twilio: gets POST { to, text, id } as JSON'),
  SMS_TOKEN: z.string().min(1).optional().describe('What that gateway gets as a bearer token'),
  SMS_TIMEOUT: wholeNumber(1, 15)
    .default(15)
    .describe('How long the SMS gateway or Twilio may take to answer, in seconds; then the message is tried again'),
  GEOCODER_URL: webAddress
    .optional()
    .describe(
      'Address of a geocoder, such as https://photon.example.com; unset: address books, and pins that people set',
    ),
  GEOCODER_KIND: z
    .enum(geocoderKinds)
    .default('nominatim')
    .describe('What GEOCODER_URL is: nominatim, photon or pelias'),
  ROUTER_URL: webAddress
    .optional()
    .describe(
      'Address of a routing engine, such as http://osrm:5000; unset, and while it does not answer: straight lines and a mean speed',
    ),
  ROUTER_KIND: z.enum(routerKinds).default('osrm').describe('What ROUTER_URL is: osrm, valhalla or ors'),
  OPTIMIZER_URL: webAddress
    .optional()
    .describe(
      'Address of a VROOM server, which plans days; unset, and while it does not answer: the built-in optimizer',
    ),
  MAP_STYLE_URL: webAddress
    .optional()
    .describe(
      'MapLibre style of another map, such as https://maps.example.com/style.json; unset: the map of this installation',
    ),
  MAP_ORIGINS: z
    .string()
    .transform((list) => list.split(',').map((origin) => origin.trim()))
    .pipe(z.array(webAddress.transform((url) => new URL(url).origin)))
    .optional()
    .describe('Other addresses that this style loads tiles, fonts and pictures from, separated by commas'),
  MAP_PMTILES: z
    .string()
    .min(1)
    .optional()
    .describe('PMTiles file with the streets of the map, as vectors by the scheme of Protomaps or as pictures'),
  MAP_EXTRACT_MAX_MB: wholeNumber(1, 4000)
    .default(200)
    .describe(
      'Largest .osm.pbf extract that is imported, in MB; a thread takes some ten times as much memory meanwhile',
    ),
  PUSH_SERVICE_URL: webAddress
    .optional()
    .describe('Push service of your own, which may have a private address; unset: only public ones are called'),
  DRAIN_SECONDS: wholeNumber(0, 5)
    .optional()
    .describe(
      'How long a stop goes on answering while /healthz says so, for a load balancer to notice; unset: 1, or 0 on a loopback address',
    ),
  WORKERS: wholeNumber(1, 8).default(1).describe('Processes that serve requests'),
});

type Settings = z.output<typeof ConfigSchema>;

export interface Config extends Settings {
  DRAIN_SECONDS: number;
  /** Only this machine can reach the server: HOST is a loopback address, and there is no proxy and no public address. */
  onlyLocal: boolean;
}

export class ConfigError extends Error {}

/** Reads and validates the settings. @throws ConfigError with one line per error */
export function readConfig(environment: Record<string, string | undefined>): Config {
  // An empty variable counts as unset: compose files and .env templates contain empty ones.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const fileErrors = readSecretFiles(given);
  const parsed = ConfigSchema.safeParse(given);
  if (!parsed.success || fileErrors.length > 0) {
    const faults = (parsed.error?.issues ?? []).map(
      (issue) => `${issue.path.join('.')} ${issue.message} (it is '${secretOr(given, issue.path[0])}')`,
    );
    throw new ConfigError([...fileErrors, ...faults].join('\n'));
  }
  const settings = parsed.data;
  if (Boolean(settings.ADMIN_EMAIL) !== Boolean(settings.ADMIN_PASSWORD)) {
    throw new ConfigError('ADMIN_EMAIL and ADMIN_PASSWORD must be set together');
  }
  if (settings.DATABASE_DIRECT_URL && !settings.DATABASE_URL) {
    throw new ConfigError('DATABASE_DIRECT_URL is set without DATABASE_URL');
  }
  if (settings.DATABASE_READ_URL && !settings.DATABASE_URL) {
    throw new ConfigError('DATABASE_READ_URL is set without DATABASE_URL');
  }
  if (Boolean(settings.SMTP_URL) !== Boolean(settings.MAIL_FROM)) {
    throw new ConfigError('SMTP_URL and MAIL_FROM must be set together');
  }
  if (Boolean(settings.SMS_URL) !== Boolean(settings.SMS_TOKEN)) {
    throw new ConfigError('SMS_URL and SMS_TOKEN must be set together');
  }
  const twilio = [settings.TWILIO_ACCOUNT_SID, settings.TWILIO_AUTH_TOKEN, settings.TWILIO_FROM].filter(Boolean).length;
  if (twilio !== 0 && twilio !== 3) {
    throw new ConfigError('TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM must be set together');
  }
  if (settings.SMS_URL && twilio > 0) {
    throw new ConfigError('SMS_URL and TWILIO_ACCOUNT_SID are both set: keep one of them');
  }
  const onlyLocal =
    isLoopback(settings.HOST) &&
    !settings.TRUST_PROXY &&
    (!settings.PUBLIC_URL || isLoopback(new URL(settings.PUBLIC_URL).hostname));
  return {
    ...settings,
    DATA_DIR: resolve(settings.DATA_DIR),
    DRAIN_SECONDS: settings.DRAIN_SECONDS ?? (onlyLocal ? 0 : 1),
    onlyLocal,
  };
}

/** The connection of DATABASE_URL; null if the embedded database is used. */
export function externalDatabase(config: Config): Connection | null {
  if (!config.DATABASE_URL) return null;
  return {
    ...asConnection(config, config.DATABASE_URL),
    ...(config.DATABASE_DIRECT_URL && { direct: asConnection(config, config.DATABASE_DIRECT_URL) }),
  };
}

/** The connection of DATABASE_READ_URL; null if there is no replica. */
export const replicaDatabase = (config: Config): Connection | null =>
  config.DATABASE_READ_URL ? asConnection(config, config.DATABASE_READ_URL) : null;

function asConnection(config: Config, url: string): Connection {
  const connection = readDatabaseUrl(url);
  if (typeof connection === 'string') throw new ConfigError(connection);
  return { ...connection, server: `${hostname()}:${config.PORT}` };
}

/** Never shown. Each can also be read from the file named by its name with `_FILE`, as container platforms mount secrets. */
const secrets = new Set<PropertyKey>([
  'DATABASE_URL',
  'ADMIN_PASSWORD',
  'METRICS_TOKEN',
  'BACKUP_KEY',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'SMTP_URL',
  'MAIL_CALLBACK_TOKEN',
  'TWILIO_AUTH_TOKEN',
  'SMS_TOKEN',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
]);
export const secretSettings = Object.keys(ConfigSchema.shape).filter((name) => secrets.has(name));

/** Adds the contents of secret files to `given`, without trailing white space. @returns one line per error */
function readSecretFiles(given: Record<string, string | undefined>): string[] {
  return secretSettings.flatMap((name) => {
    const path = given[`${name}_FILE`];
    if (path === undefined) return [];
    if (given[name] !== undefined) return [`${name} and ${name}_FILE are both set: keep one of them`];
    try {
      given[name] = readFileSync(path, 'utf8').trimEnd() || undefined;
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
      return [`${name}_FILE cannot be read: ${reason} (it is '${path}')`];
    }
    return given[name] ? [] : [`${name}_FILE names an empty file (it is '${path}')`];
  });
}

const secretOr = (given: Record<string, string | undefined>, name: PropertyKey | undefined) =>
  name !== undefined && secrets.has(name) ? 'hidden' : given[String(name)];
