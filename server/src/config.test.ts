import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, ConfigSchema, readConfig, secretSettings } from './config.ts';

const root = join(import.meta.dirname, '../..');

const faultsOf = (environment: Record<string, string>): string[] => {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n');
  }
};

describe('settings', () => {
  test('have their defaults when they are unset or empty', () => {
    for (const environment of [{}, { PORT: '', HOST: ' ', DATABASE_URL: '', DEMO: '' }]) {
      expect(readConfig(environment)).toMatchObject({
        HOST: '127.0.0.1',
        PORT: 3000,
        DATA_DIR: join(process.cwd(), 'data'),
        DEMO: true,
        RATE_LIMITS: { login: { points: 20, duration: 60 }, exports: { points: 10, duration: 3600 } },
        LOAD_SHEDDING: true,
        TRUST_PROXY: false,
        WORKERS: 1,
        LOG_LEVEL: 'info',
        onlyLocal: true,
      });
    }
  });

  test.each([
    [{ PORT: 'http' }, "PORT must be a whole number (it is 'http')"],
    [{ PORT: '70000' }, "PORT must be from 0 to 65535 (it is '70000')"],
    [{ PORT: '-1' }, "PORT must be a whole number (it is '-1')"],
    [{ WORKERS: '0' }, /^WORKERS must be from 1 to \d+ \(it is '0'\)$/],
    [{ DEMO: 'maybe' }, "DEMO must be 'on' or 'off' (it is 'maybe')"],
    [
      { PUBLIC_URL: 'waybill.example.com' },
      "PUBLIC_URL must be an http or https address (it is 'waybill.example.com')",
    ],
    [{ DATABASE_URL: 'mysql://root:secret@db/x' }, "DATABASE_URL must be a postgres:// address (it is 'hidden')"],
    [{ DATABASE_DIRECT_URL: 'postgres://h/x' }, /^DATABASE_DIRECT_URL is set without DATABASE_URL$/],
    [{ DATABASE_READ_URL: 'postgres://h/x' }, /^DATABASE_READ_URL is set without DATABASE_URL$/],
    [
      { DATABASE_URL: 'postgres://a,b/x?target_session_attrs=standby' },
      /^DATABASE_URL must lead to .*\(it is 'hidden'\)$/,
    ],
    [{ POOL_SIZE: '1' }, /^POOL_SIZE must be from 2 to 500/],
    [{ ADMIN_EMAIL: 'admin', ADMIN_PASSWORD: 'pond-heron-7' }, "ADMIN_EMAIL must be an email address (it is 'admin')"],
    [
      { ADMIN_EMAIL: 'a@example.com', ADMIN_PASSWORD: '12345' },
      "ADMIN_PASSWORD must have at least 6 characters (it is 'hidden')",
    ],
    [{ ADMIN_EMAIL: 'a@example.com' }, 'ADMIN_EMAIL and ADMIN_PASSWORD must be set together'],
    [{ SMS_URL: 'https://sms.example.org/send' }, 'SMS_URL and SMS_TOKEN must be set together'],
    [
      { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'secret' },
      'TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM must be set together',
    ],
    [{ TWILIO_FROM: '0151 1234567' }, /^TWILIO_FROM must be a phone number/],
    [{ ADMIN_PASSWORD: 'pond-heron-7' }, 'ADMIN_EMAIL and ADMIN_PASSWORD must be set together'],
    [{ PUBLIC_RECIPIENT: 'none' }, "PUBLIC_RECIPIENT must be full, masked or hidden (it is 'none')"],
    [{ TIME_ZONE: 'Mars/Base' }, "TIME_ZONE must be an IANA time zone like Europe/Berlin (it is 'Mars/Base')"],
    [{ LOG_LEVEL: 'loud' }, "LOG_LEVEL must be a level such as info or warn (it is 'loud')"],
    [{ RATE_LIMITS: 'create=0/60' }, /^RATE_LIMITS must be on, off, or limits such as create=600\/60 of login, /],
    [{ RATE_LIMITS: 'create=5/60 toString=5/60' }, /^RATE_LIMITS must be on/],
    [{ METRICS_TOKEN: 'short' }, "METRICS_TOKEN must have at least 16 characters (it is 'hidden')"],
    ...['10.0.0.0/33', 'proxy.example.com', '10.0.0.1,::1/129', 'loopback toString'].map((TRUST_PROXY) => [
      { TRUST_PROXY },
      `TRUST_PROXY must be on, off, or addresses and networks such as loopback 10.0.0.0/8 (it is '${TRUST_PROXY}')`,
    ]),
    [{ ADMIN_SIGNUP: 'yes' }, /^ADMIN_SIGNUP .*open.*\(it is 'yes'\)$/],
    [{ DRIVER_SIGNUP: 'yes' }, /^DRIVER_SIGNUP .*open.*\(it is 'yes'\)$/],
  ] as [Record<string, string>, string | RegExp][])('%j is reported in one line', (environment, line) => {
    const faults = faultsOf(environment);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(line);
  });

  test('with several errors are reported one per line, without secrets', () => {
    const faults = faultsOf({ PORT: 'x', WORKERS: 'y', DATABASE_URL: 'secret', ADMIN_PASSWORD: 'short', DEMO: 'z' });
    expect(new Set(faults.map((line) => line.split(' ')[0]))).toEqual(
      new Set(['ADMIN_PASSWORD', 'DATABASE_URL', 'DEMO', 'PORT', 'WORKERS']),
    );
    expect(faults).toHaveLength(5);
    for (const line of faults) expect(line).not.toMatch(/secret|short'/);
  });

  test.each([
    [{}, true],
    [{ HOST: 'localhost' }, true],
    [{ HOST: '127.8.0.1' }, true],
    [{ HOST: '::1' }, true],
    [{ PUBLIC_URL: 'http://localhost:3000' }, true],
    [{ PUBLIC_URL: 'http://[::1]:3000' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '::' }, false],
    [{ HOST: '10.0.0.5' }, false],
    [{ HOST: '127.evil.example' }, false],
    [{ PUBLIC_URL: 'https://waybill.example.com' }, false],
    [{ PUBLIC_URL: 'http://localhost.example.com' }, false],
    [{ TRUST_PROXY: 'on' }, false],
    [{ TRUST_PROXY: 'loopback' }, false],
  ] as [Record<string, string>, boolean][])('%j: only this machine can reach the server: %s', (environment, only) => {
    expect(readConfig(environment).onlyLocal).toBe(only);
  });

  test.each<[string, string, string[]]>([
    ['off', '', []],
    // Trusts the peer, but no other hop.
    ['on', '203.0.113.9', ['198.51.100.7']],
    ['10.1.0.0/16 2001:db8::/32', '10.1.2.3', ['2001:db8::7', '::ffff:10.1.9.9', '10.2.0.1', '10.1.0.1']],
    ['loopback,192.0.2.5', '::1', ['127.0.0.1', '192.0.2.5', '192.0.2.6']],
    ['192.0.2.5', '192.0.2.6', []],
    ['uniquelocal', 'fd00::1', ['10.9.9.9', '203.0.113.9']],
  ])('TRUST_PROXY=%s with the peer %s trusts hop by hop up to the first untrusted address', (setting, peer, hops) => {
    const trusts = readConfig({ TRUST_PROXY: setting }).TRUST_PROXY;
    const client = [peer, ...hops].findIndex((address, hop) => !trusts || !trusts(address, hop));
    // The first untrusted hop is the client; the hops that it claims are ignored.
    expect([peer, ...hops][client]).toBe(
      {
        on: '198.51.100.7',
        off: '',
        'loopback,192.0.2.5': '192.0.2.6',
        uniquelocal: '203.0.113.9',
        '192.0.2.5': '192.0.2.6',
      }[setting] ?? '10.2.0.1',
    );
  });

  test('that are secrets can be read from a file, without its trailing newline', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waybill-secrets-'));
    const file = async (name: string, text: string) => {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    };
    const METRICS_TOKEN_FILE = await file('token', 'a-token-of-some-length\n');
    expect(readConfig({ METRICS_TOKEN_FILE })).toMatchObject({ METRICS_TOKEN: 'a-token-of-some-length' });
    for (const name of secretSettings) {
      const [both, missing, empty] = [
        { [name]: 'a-token-of-some-length', [`${name}_FILE`]: METRICS_TOKEN_FILE },
        { [`${name}_FILE`]: join(folder, 'nowhere') },
        { [`${name}_FILE`]: await file('empty', '\n') },
      ];
      expect(faultsOf(both)).toContain(`${name} and ${name}_FILE are both set: keep one of them`);
      expect(faultsOf(missing)).toEqual([`${name}_FILE cannot be read: ENOENT (it is '${join(folder, 'nowhere')}')`]);
      expect(faultsOf(empty)).toEqual([`${name}_FILE names an empty file (it is '${join(folder, 'empty')}')`]);
    }
    // An error in the content of a secret file does not show the content.
    const DATABASE_URL_FILE = await file('database', 'mysql://root:secret@db/x');
    expect(faultsOf({ DATABASE_URL_FILE })).toEqual(["DATABASE_URL must be a postgres:// address (it is 'hidden')"]);
    expect(secretSettings).toEqual(
      expect.arrayContaining([
        'DATABASE_URL',
        'ADMIN_PASSWORD',
        'METRICS_TOKEN',
        'S3_ACCESS_KEY_ID',
        'S3_SECRET_ACCESS_KEY',
      ]),
    );
    await rm(folder, { recursive: true });
  });

  test('of the sign-up policies are read from the environment', () => {
    expect(readConfig({ HOST: '0.0.0.0', DRIVER_SIGNUP: 'open', ADMIN_SIGNUP: 'closed' })).toMatchObject({
      DRIVER_SIGNUP: 'open',
      ADMIN_SIGNUP: 'closed',
    });
  });
});

describe('the documentation of the settings', () => {
  const settings = readSettings();

  test('.env.example has every setting with its default, commented out', async () => {
    const lines = settings.map(({ name, default: value, about }) => `# ${about}\n#${name}=${value}\n`);
    await expect(
      `# Every setting of Waybill with its default, as variables of the environment.\n\n${lines.join('\n')}`,
    ).toMatchFileSnapshot(join(root, '.env.example'));
  });

  test('the operations page lists each secret that can be read from a file', async () => {
    const page = await readFile(join(root, 'docs/operations.md'), 'utf8');
    const sentence = /Secrets can also stand in files[^.]*\./.exec(page)?.[0] ?? '';
    expect([...sentence.matchAll(/`(\w+)_FILE`/g)].map(([, name]) => name)).toEqual(secretSettings);
  });

  test('the table on the operations page has all settings, in this order', async () => {
    const page = await readFile(join(root, 'docs/operations.md'), 'utf8');
    const table = /<!-- settings:[^>]*-->\n\n([\s\S]*?)\n\n<!-- \/settings -->/.exec(page)?.[1];
    const cells = table?.split('\n').map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
    expect(cells?.slice(2)).toEqual(
      settings.map(({ name, default: value, about }) => [`\`${name}\``, value && `\`${value}\``, about]),
    );
  });
});

/** The settings with their defaults as an operator would write them. */
function readSettings(): { name: string; default: string; about: string }[] {
  const defaults: Record<string, string | number | boolean | object | null | undefined> = ConfigSchema.parse({});
  return Object.entries(ConfigSchema.shape).map(([name, schema]) => {
    const value = defaults[name];
    // The default limits are what 'on' stands for.
    const isSwitch = typeof value === 'boolean' || typeof value === 'object';
    const shown = isSwitch ? (value ? 'on' : 'off') : String(value ?? '');
    return { name, default: shown, about: schema.description ?? '' };
  });
}
