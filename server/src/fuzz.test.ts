import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { endpoints, effectivePermissions, type Endpoint, type ErrorReply, type Role } from '@waybill/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonSchema } from './api-docs/json-schema.ts';
import { describeApi, type Operation } from './api-docs/openapi.ts';
import { openSession } from './users/sessions.ts';
import {
  createPackage,
  eventually,
  openTestProduct,
  packageInput,
  password,
  createDeadLetter,
  type TestProduct,
  type TestUser,
} from './testing/test-product.ts';
import { malformedRequest, typeOf, type MalformedRequest } from './testing/malformed.ts';
import { createAccount } from './users/service.ts';
import { openMailServer, type MailServer } from './testing/mail-server.ts';
import { openSoundRequests } from './testing/sound-requests.ts';
import { runsAll } from './testing/suite.ts';

const api = describeApi();
const isFull = runsAll;
/** Runs per operation, for each of the five roles. */
const runsEach = Number(process.env.FUZZ_CASES ?? (isFull ? 400 : 3));
const seed = Number(process.env.FUZZ_SEED ?? (isFull ? Date.now() % 2 ** 31 : 20_260_101));

const roles = ['nobody', 'owner', 'driver', 'admin', 'suspended'] as const;
/** The bystander calls nothing: an owner whose objects are foreign to all callers. */
type Account = Exclude<(typeof roles)[number], 'nobody'> | 'bystander';

let mailServer: MailServer;
let product: TestProduct;
let soundRequests: Awaited<ReturnType<typeof openSoundRequests>>;
const accounts = {} as Record<Account, TestUser>;
/** Object ids of all accounts, by the path segment before `:id`. */
const objects: Record<string, string[]> = {};
/** Valid values by field name. */
const fields: Record<string, string[]> = {};

beforeAll(async () => {
  log(`${runsEach} cases per operation and role; repeat them with FUZZ_SEED=${seed}`);
  // Set by the environment, so that no fuzzed change of settings can close the sign-up. New administrators await approval, so that they are
  // not notified of every event.
  mailServer = await openMailServer();
  product = await openTestProduct({
    config: {
      ADMIN_SIGNUP: 'approval',
      DRIVER_SIGNUP: 'open',
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'waybill@example.com',
      PUBLIC_URL: 'https://parcels.example',
    },
  });
  soundRequests = await openSoundRequests(product);
  for (const account of ['admin', 'owner', 'driver', 'suspended', 'bystander'] as const)
    accounts[account] = await registerAccount(account);
  await createObjects();
  const { owner, driver, admin, bystander } = accounts;
  const [started = ''] = objects.packages ?? [];
  await driver.api.incidents.reportOnDelivery({ params: { id: started }, body: { issue: 'A flat tyre' } });
  const [incident] = (await driver.api.incidents.list()).items;
  await product
    .api()
    .contact.send({ body: { name: 'Vera Visitor', email: 'vera@example.com', message: 'Where is it?' } });
  const shift = await admin.api.shifts.create({
    body: { driverId: driver.id, startsAt: '2026-05-05T08:00:00Z', endsAt: '2026-05-05T16:00:00Z' },
  });
  const absence = await admin.api.absences.create({
    body: { driverId: driver.id, kind: 'sick', from: '2026-05-06', to: '2026-05-07' },
  });
  const [held, free] = [
    await admin.api.roles.create({ body: { name: 'Clerk', permissions: ['users.read'] } }),
    await admin.api.roles.create({ body: { name: 'Guest', permissions: [] } }),
  ];
  const depot = await admin.api.depots.create({ body: { name: 'Harbour', timeZone: 'Europe/Berlin' } });
  const route = await admin.api.routes.create({ body: { day: '2026-05-05', depotId: depot.id, driverId: driver.id } });
  const { url } = await admin.api.users.resetLink({ params: { id: bystander.id } });
  Object.assign(objects, {
    shifts: [shift.id],
    absences: [absence.id],
    roles: [held.id, free.id],
    depots: [depot.id],
    routes: [route.id],
    incidents: [String(incident?.id)],
    messages: ['1'],
    sent: [await createDeadLetter(product, started)],
  });
  Object.assign(fields, {
    name: ['lamp.jpg', 'A lamp'],
    email: [owner.email, bystander.email],
    password: [password],
    currentPassword: [password],
    newPassword: [password],
    token: [url.split('token=')[1]],
    roleId: [held.id],
    depotId: [depot.id],
    // Another time, or that of the shift above.
    startsAt: ['2026-06-05T08:00:00Z', '2026-05-05T08:00:00Z'],
    endsAt: ['2026-06-05T16:00:00Z', '2026-05-05T16:00:00Z'],
    week: ['2026-05-04'],
    zone: ['Europe/Berlin'],
    timeZone: ['Europe/Berlin'],
  });
});
afterAll(async () => {
  await product.close();
  await mailServer.close();
});

/** Shows progress in the full run. */
function log(text: string): void {
  if (isFull) process.stdout.write(`${text}\n`);
}

let accountCount = 0;
/** Whether an account is new and has no objects yet. */
let isNew = false;

async function registerAccount(account: Account): Promise<TestUser> {
  isNew = true;
  const email = `${account}.${++accountCount}@example.com`;
  const role = roleOf(account);
  const { id } = await createAccount(product.ctx.db, { name: `Somebody as ${account}`, email, password, role });
  const user = await product.api().auth.login({ body: { email, password } });
  if (account === 'suspended') await accounts.admin.api.users.update({ params: { id }, body: { status: 'suspended' } });
  return { id, email, password, user, token: user.token, api: product.api(user.token) };
}

const roleOf = (account: Account): Role => (account === 'suspended' || account === 'bystander' ? 'owner' : account);

/** Whether an account still has its session and the permissions of its role: fuzzed calls may have changed either. */
async function isIntact(account: Account): Promise<boolean> {
  const role = roleOf(account);
  const status = account === 'suspended' ? 'suspended' : 'active';
  const actor = await product.ctx.sessions.find(accounts[account].token);
  const permissions = effectivePermissions({ role, status, permissions: null, customRolePermissions: null });
  return actor?.role === role && actor.status === status && isDeepStrictEqual(actor.permissions, permissions);
}

/** Opens a new session for an account or, if that does not suffice, replaces the account. A sign-in would hash a password each time. */
async function restoreAccount(account: Account): Promise<void> {
  if (await isIntact(account)) return;
  const opened = { id: accounts[account].id, role: roleOf(account), permissions: null, customRolePermissions: null };
  const from = { userAgent: undefined, address: '127.0.0.1' };
  const token = await product.ctx.db.transaction((tx) => openSession(tx, opened, from));
  accounts[account] = { ...accounts[account], token, api: product.api(token) };
  if (!(await isIntact(account))) accounts[account] = await registerAccount(account);
}

/** Creates the objects that calls consume: accounts, and packages in several states. */
async function createObjects(): Promise<void> {
  for (const account of ['admin', 'owner', 'driver', 'bystander'] as const) await restoreAccount(account);
  const { owner, driver, bystander } = accounts;
  const [started, delivered, own] = [
    await createPackage(owner),
    await createPackage(owner),
    await createPackage(owner),
  ];
  const foreign = await createPackage(bystander);
  for (const { id } of [started, delivered]) await driver.api.deliveries.start({ params: { id } });
  await driver.api.deliveries.complete({ params: { id: delivered.id } });
  const packages = [started.id, delivered.id, own.id, foreign.id];
  const users = [owner.id, bystander.id, driver.id];
  Object.assign(objects, {
    packages,
    package: packages,
    deliveries: packages,
    track: [own.trackingId, foreign.trackingId],
    users,
    user: users,
    driver: [driver.id],
  });
  fields.driverId = [driver.id];
  if (isNew) await createOwnedObjects(owner);
  isNew = false;
}

/** Creates an owner's objects other than packages. */
async function createOwnedObjects(owner: TestUser): Promise<void> {
  const body = 'name,description,category,weight,recipientName,recipientContact\nLamp';
  objects.imports = [(await owner.api.packages.import({ body })).id];
  const notified = async () => (await owner.api.notifications.list()).items[0]?.id;
  await eventually('the notification', async () => (await notified()) !== undefined);
  objects.notifications = [(await notified()) ?? ''];
}

/** Calls that consume their objects, so that each test of one needs new ones. */
const consumesObjects = ({ method, path }: Endpoint) =>
  method !== 'GET' && /^\/(packages|deliveries|users)\/:id/.test(path);

// Formats are documentation: the server validates them more strictly than a JSON Schema validator.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allowUnionTypes: true });
ajv.addSchema({ $id: 'api', components: api.components });
// Most error responses have the same schema, and compiling is slow: cache by text.
const compiled = new Map<string, ValidateFunction>();
const validators = new Map<JsonSchema, ValidateFunction>();
function validatorOf(schema: JsonSchema): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/');
  const validator = compiled.get(text) ?? ajv.compile(JSON.parse(text) as JsonSchema);
  compiled.set(text, validator);
  validators.set(schema, validator);
  return validator;
}

function operationOf(endpoint: Endpoint): Operation {
  const path = `/api${endpoint.path.replace(/:(\w+)/g, '{$1}')}`;
  const operation = api.paths[path]?.[endpoint.method.toLowerCase()];
  if (!operation) throw new Error(`${endpoint.method} ${path} is not documented`);
  return operation;
}

const everyEndpoint = Object.values(endpoints as Record<string, Record<string, Endpoint>>)
  .flatMap((group) => Object.values(group))
  // A stream does not end; its errors are those of the lookup.
  .filter((endpoint) => endpoint.reply !== 'stream')
  .map((endpoint) => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint }));

/** What stands in paths besides ids. */
const examplePath: Record<string, string> = { kind: 'owner.delivery.completed', language: 'de', part: '0' };

const pathOf = ({ path }: Endpoint, params: Record<string, string>): string =>
  path.replace(/:(\w+)/g, (placeholder, name: string) => params[name] ?? placeholder);

async function send(endpoint: Endpoint, caller: Account | null, { id, query, headers, body }: MalformedRequest) {
  const token = caller && accounts[caller].token;
  const params: Record<string, string> = { ...examplePath, id: await fill(endpoint, caller, id) };
  return product.app.inject({
    method: endpoint.method,
    url: `/api${pathOf(endpoint, params)}${query}`,
    headers: {
      ...(body !== undefined && { 'content-type': typeOf(endpoint) }),
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { payload: body }),
  });
}

function objectAt(index: number, among = Object.values(objects).flat()): string {
  return among[index % among.length] ?? '';
}

/** The path segment before the id. */
const kindOf = ({ path }: Endpoint): string | undefined => /(\w+)\/:id/.exec(path)?.[1];

/** Resolves the placeholder of an id in a request. */
async function fill(endpoint: Endpoint, caller: Account | null, id: MalformedRequest['id']): Promise<string> {
  if (typeof id === 'string') return id;
  if (id.kind === 'any') return objectAt(id.index);
  const kind = kindOf(endpoint) ?? '';
  const own =
    kind === 'sessions' && caller ? (await product.ctx.sessions.find(accounts[caller].token))?.sessionId : null;
  return objectAt(id.index, own ? [own] : objects[kind]);
}

/** Without a documented body, only an empty one is accepted. */
const noContent = { 'application/json': { schema: { type: 'object', maxProperties: 0 } } };

/** Asserts that a response is as documented, whatever the request was. */
function assertDocumented(
  operation: Operation,
  sent: MalformedRequest,
  answer: Awaited<ReturnType<typeof send>>,
): void {
  const { statusCode } = answer;
  expect(statusCode).toBeLessThan(500);
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  const documented = operation.responses[statusCode];
  expect(documented, `${operation.operationId} answered ${statusCode} ${answer.body.slice(0, 300)}`).toBeDefined();
  const schema = documented?.content?.['application/json']?.schema;
  if (schema) {
    const reply = answer.json<Partial<ErrorReply>>();
    const isDocumented = validatorOf(schema);
    expect(isDocumented(reply), `${operation.operationId}: ${ajv.errorsText(isDocumented.errors)}`).toBe(true);
    if (statusCode >= 400)
      expect(reply.message).not.toMatch(/\bselect .* from\b|\binsert into\b|pg_|syntax error|undefined|at .*:\d+:\d+/i);
  } else if (documented?.content) {
    const [type] = Object.keys(documented.content);
    expect(answer.headers['content-type']).toBe(type === 'text/csv' ? 'text/csv; charset=utf-8' : type);
  } else expect(answer.body).toBe('');
  const content = operation.requestBody?.content ?? noContent;
  const input = content['application/json']?.schema;
  if (statusCode < 300 && input) expect(isAccepted(operation, input, sent.body), sent.body).toBe(true);
}

/** Whether the document allows this body. The server trims texts before it validates them, except passwords. */
function isAccepted(operation: Operation, schema: JsonSchema, text: string | undefined): boolean {
  if (!text) return !operation.requestBody?.required;
  const trimmed: unknown = JSON.parse(text.replace(/^\ufeff/, ''), (name, value: unknown) =>
    typeof value === 'string' && !/password/i.test(name) ? value.trim() : value,
  );
  return validatorOf(schema)(trimmed);
}

/** The operations that succeeded for some role, so that not only their errors are tested. */
const succeeded = new Set<string>();

/**
 * Sends the request of an operation that succeeds, where there is one. What it was about is then known to the fuzzed ones.
 * @returns its body, if it is JSON
 */
async function sendSound(endpoint: Endpoint): Promise<string[]> {
  const operation = operationOf(endpoint);
  const make = soundRequests[operation.operationId];
  if (!make) return [];
  const { token, params = {}, query = '', body } = await make();
  const answer = await product.app.inject({
    method: endpoint.method,
    url: `/api${pathOf(endpoint, { ...examplePath, ...params })}${query}`,
    headers: {
      ...(body !== undefined && { 'content-type': typeOf(endpoint) }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { payload: body }),
  });
  expect(answer.statusCode, `${operation.operationId} answered ${answer.body}`).toBeLessThan(300);
  assertDocumented(operation, { id: '', query, headers: {}, body }, answer);
  succeeded.add(operation.operationId);
  const kind = kindOf(endpoint);
  if (params.id && kind) objects[kind] = [...(objects[kind] ?? []), params.id];
  return body !== undefined && !endpoint.file ? [body] : [];
}

/** Fuzzes one operation as one of the roles. @returns the role and the number of responses by status */
async function fuzz(endpoint: Endpoint, role: (typeof roles)[number], sound: string[]): Promise<string> {
  const operation = operationOf(endpoint);
  const caller = role === 'nobody' ? null : role;
  const requests = malformedRequest(endpoint, operation, { id: (index) => objectAt(index), fields, sound });
  const counts: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(fc.constant(role), requests, async (_as, sent) => {
      if (caller) await restoreAccount(caller);
      // Headers without a value must be absent, not undefined.
      const call = { ...sent, headers: { ...sent.headers } };
      let answer = await send(endpoint, caller, call);
      // A busy machine may run out of connections for a moment, and only so many plans may be in the making: retry when it says.
      for (let tries = 1; answer.statusCode === 503 && tries <= 3; tries++) {
        const seconds = Number(answer.headers['retry-after']);
        expect(seconds).toBeGreaterThan(0);
        await sleep(seconds * 1000);
        answer = await send(endpoint, caller, call);
      }
      counts[answer.statusCode] = (counts[answer.statusCode] ?? 0) + 1;
      assertDocumented(operation, call, answer);
      if (answer.statusCode < 300) succeeded.add(operation.operationId);
    }),
    { numRuns: runsEach, seed: seed + roles.indexOf(role) },
  );
  return `${role} ${Object.entries(counts)
    .map(([status, count]) => `${status} x ${count}`)
    .join(', ')}`;
}

describe('every fuzzed request of every role gets a documented response:', () => {
  test.each(everyEndpoint)(
    '$name',
    async ({ name, endpoint }) => {
      const startedAt = performance.now();
      if (consumesObjects(endpoint) || isNew) await createObjects();
      const sound = await sendSound(endpoint);
      // Concurrently: while one role waits, another makes progress.
      const lanes = await Promise.allSettled(roles.map((role) => fuzz(endpoint, role, sound)));
      for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
      const counts = lanes.map((lane) => (lane.status === 'fulfilled' ? lane.value : ''));
      log(`${name} in ${Math.round(performance.now() - startedAt)} ms: ${counts.join('; ')}`);
    },
    isFull ? 600_000 : 60_000,
  );
});

/** They need a code of an authenticator, or a session with the id of its user: no generated request has these, so they only fail here. */
const neverSucceed = new Set([
  'users.confirmTotp',
  'users.removeTotp',
  'users.makeRecoveryCodes',
  'users.endSessionOf',
]);

test('every operation succeeded at least once', () => {
  const missed = everyEndpoint
    .map(({ endpoint }) => operationOf(endpoint).operationId)
    .filter((id) => !succeeded.has(id) && !neverSucceed.has(id));
  // A few runs mostly miss what needs ids of rows that fit together; many runs may still miss one or two by chance.
  expect(missed.length, missed.join(', ')).toBeLessThanOrEqual(isFull ? 2 : everyEndpoint.length * 0.6);
});

describe('known malformed requests', () => {
  const post = (payload: string, contentType?: string) =>
    product.app.inject({
      method: 'POST',
      url: '/api/packages',
      payload,
      headers: {
        authorization: `Bearer ${accounts.owner.token}`,
        ...(contentType && { 'content-type': contentType }),
      },
    });

  test.each([
    ['broken JSON', '{"name": ', 'application/json', 400, 'unreadable'],
    ['a forbidden key', '{"__proto__": {"admin": true}}', 'application/json', 400, 'unreadable'],
    ['no JSON', 'name=x', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    ['a body without a type', '{}', undefined, 415, 'unsupported_media_type'],
    ['64 KB and a byte', JSON.stringify({ name: 'x'.repeat(64 * 1024) }), 'application/json', 413, 'too_large'],
    ['nothing', '', 'application/json', 422, 'invalid'],
    ['a list', '[]', 'application/json', 422, 'invalid'],
    ['null', 'null', 'application/json', 422, 'invalid'],
    [
      'wrong types',
      JSON.stringify(packageInput({ weight: '3' as never, name: 5 as never })),
      'application/json',
      422,
      'invalid',
    ],
    [
      'a name of 10,000 characters',
      JSON.stringify(packageInput({ name: 'x'.repeat(10_000) })),
      'application/json',
      422,
      'invalid',
    ],
    ['a NUL byte', JSON.stringify(packageInput({ name: 'NUL \u0000' })), 'application/json', 422, 'invalid'],
    [
      'half a surrogate pair',
      JSON.stringify(packageInput({ name: 'half \ud83d' })),
      'application/json',
      422,
      'invalid',
    ],
    ['a negative weight', JSON.stringify(packageInput({ weight: -1 })), 'application/json', 422, 'invalid'],
    ['emoji', JSON.stringify(packageInput({ name: '📦📦📦' })), 'application/json', 201, null],
  ])('%s gets the documented status and code', async (_what, body, type, status, code) => {
    const answer = await post(body, type);
    expect(answer.statusCode).toBe(status);
    if (code) expect(answer.json()).toMatchObject({ code, requestId: expect.any(String) as string });
  });

  test.each(['/api/track/%', '/%E0%A4%A'])(
    '%s, which cannot be decoded, gets the same 404 as any unknown path',
    async (url) => {
      const [broken, unknown] = [await product.app.inject(url), await product.app.inject('/api/nothing')];
      expect(broken.statusCode).toBe(404);
      const own = { 'x-request-id': expect.any(String) as string, 'content-length': expect.any(String) as string };
      expect({ ...broken.headers, date: '', connection: '' }).toEqual({
        ...unknown.headers,
        ...own,
        date: '',
        connection: '',
      });
    },
  );

  test('names of Object.prototype are rejected like other unknown fields', async () => {
    const answer = await post(
      JSON.stringify({ ...packageInput(), toString: 1, hasOwnProperty: 2 }),
      'application/json',
    );
    expect(answer.json()).toMatchObject({
      code: 'invalid',
      fields: { toString: 'This field is not known', hasOwnProperty: 'This field is not known' },
    });
  });
});
