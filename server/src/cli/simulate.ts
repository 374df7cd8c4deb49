import { existsSync } from 'node:fs';
import { ApiError, createClient } from '@waybill/contract';
import { readConfig } from '../config.ts';
import { signInDemoDrivers } from '../demo/accounts.ts';
import { emptyTally, simulate, type Tally } from '../demo/simulator.ts';
import { UsageError, defineCommand, readNumber } from './command.ts';
import { withPostgres } from './database.ts';

export const simulateCommand = defineCommand(
  {
    help: `npm run cli -- simulate [options]

Owners who create packages and drivers who bring them, live, through the API of a running product. Ends after the minutes,
or with Ctrl+C, with a summary: counts, errors by code, median and 95th percentile of each call. The accounts that it makes
(sim-…@example.com) and their packages stay: not for a product that is in use.

  --url U                  the product; default: the one that runs on this DATA_DIR, else http://HOST:PORT
  --owners N               default 2
  --drivers N              default 4
  --packages-per-minute N  of all owners together, default 6
  --speed X                how many times quicker everything goes, default 1; high, it is a load test
  --minutes M              default 10
  --kmh N                  how fast drivers drive, as 28 is usual in towns: rounds take hours, and arrive when they are expected. Default: every
                           leg takes 15 s, however far it is
  --demo                   the drivers of the demo drive their own routes of today too; takes --email admin@demo.example and its password
  --email E --password P   an administrator who makes the accounts, where signing up is not open to everybody, and who plans
                           routes for half of the drivers`,
    options: {
      url: { type: 'string' },
      owners: { type: 'string', default: '2' },
      drivers: { type: 'string', default: '4' },
      'packages-per-minute': { type: 'string', default: '6' },
      speed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '10' },
      kmh: { type: 'string' },
      demo: { type: 'boolean', default: false },
      email: { type: 'string' },
      password: { type: 'string' },
    },
  },
  async (values) => {
    const number = (
      name: 'owners' | 'drivers' | 'packages-per-minute' | 'speed' | 'minutes' | 'kmh',
      min: number,
      max: number,
    ) => readNumber(name, values[name] ?? '', { min, max });
    const { email, password } = values;
    if ((email === undefined) !== (password === undefined))
      throw new UsageError('--email and --password belong together');
    if (values.demo && email === undefined)
      throw new UsageError('--demo takes --email and --password of its administrator');
    if (values.url !== undefined && !/^https?:\/\//.test(values.url))
      throw new UsageError(`--url must be an http or https address (it is '${values.url}')`);
    const simulation = {
      owners: Math.round(number('owners', 1, 1000)),
      drivers: Math.round(number('drivers', 1, 1000)),
      packagesPerMinute: number('packages-per-minute', 0.01, 100_000),
      speed: number('speed', 0.1, 10_000),
      admin: email !== undefined && password !== undefined ? { email, password } : null,
      kmh: values.kmh === undefined ? null : number('kmh', 1, 1000),
    };
    const minutes = number('minutes', 0.01, 10_080);
    const baseUrl = (values.url ?? (await findProduct())).replace(/\/+$/, '');
    const tally = emptyTally();
    const stop = new AbortController();
    process.once('SIGINT', () => stop.abort());
    process.once('SIGTERM', () => stop.abort());
    console.log(`At ${baseUrl}, for ${minutes} minutes; Ctrl+C ends it.`);
    const end = setTimeout(() => stop.abort(), minutes * 60_000);
    const display = showCounts(tally);
    try {
      const api = (token: string | null) => createClient({ baseUrl, token: () => token });
      const rounds = values.demo && simulation.admin ? await signInDemoDrivers(api, simulation.admin) : [];
      await simulate({ ...simulation, rounds, api, signal: stop.signal }, tally);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'network')) throw error;
      throw new Error(`Nothing answers at ${baseUrl}: start the product first, or name it with --url.`, {
        cause: error,
      });
    } finally {
      clearTimeout(end);
      display.stop();
    }
    console.log(summary(tally));
    return tally.errors.size > 0 ? 1 : 0;
  },
);

async function findProduct(): Promise<string> {
  const { HOST, PORT, DATA_DIR, DATABASE_URL } = readConfig(process.env);
  // Without DATA_DIR no product runs on it; do not create a database to find that out.
  const holder = DATABASE_URL || !existsSync(DATA_DIR) ? null : await withPostgres(async (server) => server.holder);
  const address = holder && / at (https?:\S+)$/.exec(holder)?.[1];
  const host = ['0.0.0.0', '::', '[::]'].includes(HOST) ? 'localhost' : HOST;
  return address || `http://${/:/.test(host) && !host.startsWith('[') ? `[${host}]` : host}:${PORT}`;
}

/** Prints the counts: repainted in place twice a second on a terminal, one line every 10 s elsewhere. */
function showCounts(tally: Tally) {
  const { isTTY } = process.stdout;
  let paintedLines = 0;
  const paint = () => {
    if (!isTTY)
      return console.log(
        counts(tally)
          .map(([name, count]) => `${name} ${count}`)
          .join(', '),
      );
    const lines = counts(tally).map(([name, count]) => `  ${name.padEnd(16)}${count}`);
    process.stdout.write(
      `${paintedLines ? `\x1b[${paintedLines}A` : ''}${lines.map((line) => `\x1b[2K${line}\n`).join('')}`,
    );
    paintedLines = lines.length;
  };
  const timer = setInterval(paint, isTTY ? 500 : 10_000);
  return { stop: () => clearInterval(timer) };
}

const counts = (tally: Tally): [string, number][] => [
  ['created', tally.created],
  ['started', tally.started],
  ['routes started', tally.routesStarted],
  ['routes finished', tally.routesFinished],
  ['offers accepted', tally.accepted],
  ['sick drivers', tally.sick],
  ['stops reassigned', tally.reassigned],
  ['delivered', tally.delivered],
  ['failed attempts', tally.failed],
  ['issues', tally.reported],
  ['rated', tally.rated],
  ['outrun', tally.outrun],
  ['told to wait', tally.waited],
  ['errors', [...tally.errors.values()].reduce((sum, count) => sum + count, 0)],
];

function summary(tally: Tally): string {
  const quantile = (sorted: number[], fraction: number) =>
    (sorted[Math.ceil(sorted.length * fraction) - 1] ?? 0).toFixed(1).padStart(9);
  return [
    '',
    ...counts(tally).map(([name, count]) => `${name.padEnd(16)}${String(count).padStart(8)}`),
    ...[...tally.errors].map(([code, count]) => `  ${code.padEnd(14)}${String(count).padStart(8)}`),
    '',
    `${'call'.padEnd(16)}${'times'.padStart(8)}${'median'.padStart(9)}${'p95'.padStart(9)} ms`,
    ...[...tally.calls].map(([name, times]) => {
      const sorted = times.toSorted((a, b) => a - b);
      return `${name.padEnd(16)}${String(sorted.length).padStart(8)}${quantile(sorted, 0.5)}${quantile(sorted, 0.95)}`;
    }),
  ].join('\n');
}
