import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { ConfigSchema } from './config.ts';
import { migrate } from './platform/database/migrate.ts';
import { openTestProduct } from './testing/test-product.ts';

/** Image, compose, systemd unit, Caddy and alerts cannot be started here: their contents are compared with what they refer to. */
const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8');
/** Besides the settings, what Node and the C library read. */
const known = [...Object.keys(ConfigSchema.shape), 'NODE_ENV', 'MALLOC_ARENA_MAX'];
const product = await openTestProduct({ runsJobs: false, config: { METRICS_TOKEN: 'a-token-of-some-length' } });
afterAll(() => product.close());

test('the README lists each file, and whether it has been tried', () => {
  const files = readdirSync(join(root, 'deploy'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'README.md')
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, 'deploy/').length));
  const rows = read('README.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const listed = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  expect(new Set(listed)).toEqual(new Set(files));
});

interface Compose {
  services: Record<string, { environment?: Record<string, string>; volumes?: string[]; image?: string }>;
  volumes: Record<string, null>;
}
const compose = parse(read('compose.yaml'), { merge: true }) as Compose;

test('the servers of compose have existing settings, share a database and a folder of files, and trust their proxy', () => {
  const { postgres, haproxy, ...servers } = compose.services;
  expect(Object.keys(servers)).toEqual(['waybill-1', 'waybill-2']);
  for (const { environment = {}, volumes } of Object.values(servers)) {
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
    expect(environment.DATABASE_URL).toContain('@postgres:5432/waybill');
    expect(environment.TRUST_PROXY).toBe('on');
    expect(environment.PUBLIC_URL).toBeTruthy();
    expect(volumes).toEqual([`files:${/DATA_DIR=(\S+)/.exec(read('Dockerfile'))?.[1]}`]);
  }
  expect(Object.keys(compose.volumes)).toEqual(['database', 'files']);
  expect(postgres?.image).toMatch(/^postgres:(1[5-9]|[2-9]\d)$/);
  const used = [...read('haproxy/haproxy.cfg').matchAll(/"\$(\w+)"/g)].map(([, name]) => name);
  expect(new Set(Object.keys(haproxy?.environment ?? {}))).toEqual(new Set(used));
});

test('the servers of compose use a role that owns its database and is no superuser, and every migration runs with it', async () => {
  const { postgres, 'waybill-1': server } = compose.services;
  const script = 'postgres/create-database.sh';
  expect(postgres?.volumes).toContain(`./${script}:/docker-entrypoint-initdb.d/${script.split('/')[1]}:ro`);
  expect(statSync(join(root, 'deploy', script)).mode & 0o111, 'it is executable').toBe(0o111);
  const theirs = '${WAYBILL_PASSWORD:?set it}';
  expect(postgres?.environment?.WAYBILL_PASSWORD).toBe(theirs);
  const url = server?.environment?.DATABASE_URL ?? '';
  const role = /^postgres:\/\/(\w+):/.exec(url)?.[1];
  expect(url).toBe(`postgres://${role}:${theirs}@postgres:5432/${role}`);
  expect(postgres?.environment?.POSTGRES_USER).not.toBe(role);

  // Runs the script's SQL as the container does, with a unique name.
  const name = `compose_${process.pid}_${Date.now()}`;
  const admin = new pg.Client({ ...inject('postgres'), database: 'postgres' });
  await admin.connect();
  const sql = /<<'SQL'\n(.*)\nSQL\n/s.exec(read(script))?.[1] ?? '';
  for (const statement of sql
    .replaceAll(role ?? '', name)
    .replace(":'password'", "'a-password'")
    .split('\n'))
    await admin.query(statement);
  const { rows } = await admin.query(
    `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = '${name}'`,
  );
  expect(Object.values((rows as object[])[0] ?? {})).toEqual([false, false, false, false, false]);
  await migrate({ ...inject('postgres'), user: name, password: 'a-password', database: name }, () => {});
  await admin.query(`drop database ${name}`);
  await admin.query(`drop role ${name}`);
  await admin.end();
});

test('the image copies existing files, runs as an unprivileged user, and its health check requests an existing path', async () => {
  const lines = read('Dockerfile').split('\n');
  const stages = lines.filter((line) => line.startsWith('FROM'));
  expect(stages).toHaveLength(2);
  for (const line of lines.filter((text) => /^COPY (?!--from)/.test(text)))
    for (const path of line.split(' ').slice(1, -1)) expect(existsSync(join(root, path)), path).toBe(true);
  const last = lines.slice(lines.lastIndexOf(stages[1] ?? ''));
  expect(last.indexOf('USER waybill')).toBeGreaterThan(0);
  const environment = /^ENV (.*)$/m.exec(last.join('\n'))?.[1]?.split(' ') ?? [];
  expect(environment.map((pair) => pair.split('=')[0] ?? '').filter((name) => !known.includes(name))).toEqual([]);
  const path = /process\.env\.PORT \+ '([^']+)'/.exec(last.join('\n'))?.[1] ?? '';
  expect((await product.app.inject(path)).statusCode).toBe(200);
  const [program = ''] = (JSON.parse(/^CMD (\[.*\])$/m.exec(last.at(-2) ?? '')?.[1] ?? '[]') as string[]).slice(1);
  expect(existsSync(join(root, program))).toBe(true);
  expect(stages[1]).toContain(`node:${/"node": "(\d+)/.exec(readFileSync(join(root, 'package.json'), 'utf8'))?.[1]}-`);
});

test('the unit starts an existing file with the bundled Node, and allows the time of a graceful shutdown', () => {
  const unit = read('systemd/waybill.service');
  const [, folder = '', program = ''] = /^ExecStart=(\S+)\/node_modules\/\.bin\/node (\S+)$/m.exec(unit) ?? [];
  expect(unit).toContain(`WorkingDirectory=${folder}`);
  expect(existsSync(join(root, program))).toBe(true);
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(15);
  for (const [, name = ''] of unit.matchAll(/^Environment=.*?(\w+)=/gm)) expect(known).toContain(name);
});

test('every proxy allows large files and slow responses, hides the metrics, and overwrites X-Forwarded-For', () => {
  const nginx = read('nginx/waybill.conf');
  expect(Number(/client_max_body_size (\d+)m/.exec(nginx)?.[1])).toBeGreaterThan(10);
  expect(nginx).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
  const caddy = read('caddy/Caddyfile');
  expect(Number(/max_size (\d+)MB/.exec(caddy)?.[1])).toBeGreaterThan(10);
  expect(caddy).not.toContain('header_up X-Forwarded-For');
  for (const text of [nginx, caddy, read('haproxy/haproxy.cfg')]) {
    expect(text).toContain('/metrics');
    expect(text).toContain('130s');
  }
});

test('the alerts use metrics that the server exports', async () => {
  const answer = await product.app.inject({
    url: '/metrics',
    headers: { authorization: 'Bearer a-token-of-some-length' },
  });
  const exported = new Set([...answer.body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const { groups } = parse(read('prometheus/alerts.yaml')) as {
    groups: { rules: { alert: string; expr: string; labels: object; annotations: { summary: string } }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(8);
  for (const { alert, expr } of rules) {
    const used = [...expr.matchAll(/\bwaybill_\w+/g)].map(([name]) => name.replace(/_(count|sum|bucket)$/, ''));
    for (const name of used) expect(exported, `${alert} uses ${name}`).toContain(name);
    for (const pair of ['()', '{}', '[]'])
      expect(expr.split(pair[0] ?? '').length, `${alert}: ${pair}`).toBe(expr.split(pair[1] ?? '').length);
  }
  for (const state of ['waiting', 'on the road', 'overdue'])
    expect(answer.body).toContain(`waybill_deliveries{state="${state}"`);
});

test('npm start, the image and the service limit the pools of memory alike', () => {
  const limit = /\bMALLOC_ARENA_MAX=\d+/;
  const { scripts } = JSON.parse(read('../package.json')) as { scripts: Record<string, string> };
  const [started] = limit.exec(scripts.start ?? '') ?? [];
  expect(started).toBeDefined();
  for (const file of ['Dockerfile', 'systemd/waybill.service']) expect(limit.exec(read(file))?.[0], file).toBe(started);
});
