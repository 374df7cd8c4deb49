import { endpoints, type Endpoint, type ErrorReply, type Role } from '@waybill/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeApi, type JsonSchema, type Operation } from './openapi.ts';
import {
  createPackage,
  openTestProduct,
  packageInput,
  plantDeadLetter,
  type TestProduct,
  type TestUser,
} from './testing.ts';

const api = describeApi();
const isFull = process.env.STORM === 'full';
/** As each of the five roles. */
const runsEach = isFull ? 400 : 10;

let product: TestProduct;
/** Objects of everybody, of all kinds, for calls to be tried on. */
const ids: string[] = [];
const cast: Partial<Record<Role | 'suspended', TestUser>> = {};
beforeAll(async () => {
  // Locked, lest a change of settings keeps the cast from signing up.
  product = await openTestProduct({ config: { ADMIN_SIGNUP: 'open', DRIVER_SIGNUP: 'open' } });
  for (const role of ['owner', 'driver', 'admin'] as const) cast[role] = await product.register(role);
  cast.suspended = await product.register('owner');
  const { owner, driver, admin, suspended } = cast;
  if (!owner || !driver || !admin) throw new Error('the cast is incomplete');
  await admin.api.users.update({ params: { id: suspended.id }, body: { status: 'suspended' } });
  const bystander = await product.register('owner');
  const started = await createPackage(bystander);
  await driver.api.deliveries.start({ params: { id: started.id } });
  const [own, foreign] = [await createPackage(owner), await createPackage(bystander)];
  await driver.api.incidents.reportOnDelivery({ params: { id: started.id }, body: { issue: 'A flat tyre' } });
  const [incident] = (await driver.api.incidents.list()).items;
  const delivered = await createPackage(owner);
  await driver.api.deliveries.start({ params: { id: delivered.id } });
  await driver.api.deliveries.complete({ params: { id: delivered.id } });
  await product
    .api()
    .contact.send({ body: { name: 'Vera Visitor', email: 'vera@example.com', message: 'Where is it?' } });
  const shift = await admin.api.shifts.create({
    body: { driverId: driver.id, startsAt: '2026-05-05T08:00:00Z', endsAt: '2026-05-05T16:00:00Z' },
  });
  ids.push(
    '1',
    await plantDeadLetter(product, started.id),
    String(incident?.id),
    delivered.id,
    shift.id,
    own.id,
    foreign.id,
    started.id,
    own.trackingId,
    foreign.trackingId,
    bystander.id,
    driver.id,
  );
});
afterAll(() => product.close());

const hostileText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'NUL \u0000 inside',
    '\ud800',
    'half \udc00 pair',
    '😀📦🇩🇪',
    'x'.repeat(10_000),
    '😀'.repeat(5000),
    '\u202e right to left',
    "'; drop table users; --",
    '%',
    '_',
    '\\',
    '../../etc/passwd',
    '{{7*7}}',
    '\r\nSet-Cookie: a=b',
    'null',
    'undefined',
    'NaN',
    '2026-02-30',
    '2026-13-01T25:61:61Z',
    '+275760-09-13T00:00:00.001Z',
    '9999-12-31T23:59:59.999Z',
    '0000-01-01',
    'PKG-ÄÖÜ45678',
    'admin',
    '00000000-0000-0000-0000-000000000000',
    '__proto__',
    'constructor',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 20 }),
);
const hostileNumber = fc.constantFrom(-1, 0, -0, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, 1e21, -(2 ** 63), 0.1 + 0.2);
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  hostileNumber,
  fc.constantFrom<unknown>(
    null,
    true,
    [],
    {},
    [[]],
    { length: 1 },
    ['x'],
    Array.from({ length: 1000 }, () => 1),
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

// Formats are for the reader of the document: the server checks them more strictly than a validator does.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allowUnionTypes: true });
ajv.addSchema({ $id: 'api', components: api.components });
const validators = new Map<JsonSchema, ValidateFunction>();
function validatorOf(schema: JsonSchema): ValidateFunction {
  let validator = validators.get(schema);
  if (!validator) {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/');
    validators.set(schema, (validator = ajv.compile(JSON.parse(text) as JsonSchema)));
  }
  return validator;
}

function operationOf(endpoint: Endpoint): Operation {
  const path = `/api${endpoint.path.replace(/:(\w+)/g, '{$1}')}`;
  const operation = api.paths[path]?.[endpoint.method.toLowerCase()];
  if (!operation) throw new Error(`${endpoint.method} ${path} is not documented`);
  return operation;
}

/** Values that a schema lets through. */
function valueOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const {
    anyOf,
    enum: choices,
    items,
    maxItems,
    minLength,
    pattern,
    properties,
    required,
    type,
  } = schema as {
    anyOf?: JsonSchema[];
    enum?: unknown[];
    items?: JsonSchema;
    maxItems?: number;
    minLength?: number;
    pattern?: string;
    properties?: Record<string, JsonSchema>;
    required?: string[];
    type?: string;
  };
  if ('const' in schema) return fc.constant(schema.const);
  if (choices) return fc.constantFrom(...choices);
  if (anyOf) return fc.oneof(...anyOf.map(valueOf));
  if (schema.format === 'uuid') return fc.nat(20).map((index) => ids[index % ids.length]);
  if (schema.format === 'date-time') return fc.constantFrom('2026-05-05T08:00:00.000Z', '2026-05-05T19:00:00+02:00');
  if (schema.format === 'email' || minLength === undefined) {
    if (type === 'string' && !pattern) return fc.nat(1e6).map((number) => `somebody${number}@example.com`);
  }
  if (type === 'string' && pattern) return fc.stringMatching(new RegExp(pattern), { maxLength: 60 });
  if (type === 'string')
    return fc.string({
      unit: fc.constantFrom('a', 'b', 'c', ' ', '1'),
      minLength: minLength ?? 0,
      maxLength: (minLength ?? 0) + 20,
    });
  if (type === 'integer') return fc.integer({ min: bound(schema.minimum, 0), max: bound(schema.maximum, 100) });
  if (type === 'number')
    return fc.double({ min: bound(schema.minimum, 0), max: bound(schema.maximum, 50), noNaN: true });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array') return fc.array(valueOf(items ?? {}), { maxLength: Math.min(maxItems ?? 3, 3) });
  if (properties) {
    const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valueOf(field)]));
    return fc.record(fields, { requiredKeys: required ?? [] });
  }
  return fc.constantFrom<unknown>(null, 'text', 7);
}

const bound = (given: unknown, otherwise: number) =>
  typeof given === 'number' && Math.abs(given) < 1e9 ? given : otherwise;

/** What goes out as a body: text, since much of it is no JSON. */
function bodyFor({ body, method }: Endpoint, operation: Operation): fc.Arbitrary<string | undefined> {
  if (method === 'GET') return fc.constant(undefined);
  return body === 'csv' ? fc.oneof(hostileCsv, bodyNear(undefined)) : hostileBody(operation);
}

const hostileBody = (operation: Operation): fc.Arbitrary<string | undefined> => {
  const schema = operation.requestBody?.content['application/json']?.schema;
  return (schema ? valueOf(schema) : fc.constant(undefined)).chain((good) => bodyNear(good as object | undefined));
};

function bodyNear(good: object | undefined): fc.Arbitrary<string | undefined> {
  const names = Object.keys(good ?? {});
  const spoilt = fc
    .record({
      field: fc.constantFrom(...names, 'unknown', 'constructor', 'toString', 'id', 'status', 'role', 'version'),
      value: fc.option(hostileValue, { nil: undefined }),
    })
    .map(({ field, value }) => JSON.stringify({ ...good, [field]: value }));
  const whole = JSON.stringify(good ?? {});
  return fc.oneof(
    { weight: 8, arbitrary: spoilt },
    { weight: 4, arbitrary: fc.constant(whole) },
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.nat(whole.length).map((cut) => whole.slice(0, cut)) },
    { weight: 1, arbitrary: fc.json() },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        'null',
        '[]',
        '"x"',
        '1e999',
        '{"__proto__":{"x":1}}',
        '{"a":1,}',
        '\ufeff{}',
        `{"name":"${'x'.repeat(70_000)}"}`,
        '['.repeat(30_000),
      ),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  );
}

const goodCells = {
  name: 'Desk lamp',
  description: 'A lamp for the desk',
  category: 'Furniture',
  weight: '2.5',
  recipientName: 'Anna Berg',
  recipientContact: '+49 151 2345678',
  trackingId: '',
  eta: '2026-05-05',
  windowFrom: '2026-05-05T08:00:00Z',
  fragile: 'yes',
};

/** A file whose cells, separators, line ends and quotation marks are spoilt. */
const hostileCsv = fc
  .record({
    spoilt: fc.array(fc.tuple(fc.constantFrom(...Object.keys(goodCells)), hostileText), { maxLength: 3 }),
    header: fc.constantFrom('', 'unknown', 'name', 'id', '__proto__', 'address.street'),
    quoted: fc.boolean(),
    separator: fc.constantFrom(',', ';', '\t', '|'),
    lineBreak: fc.constantFrom('\n', '\r\n', '\r', '\n\n'),
    tail: fc.constantFrom('', '"', '\n"open', '\n,,,,,,,,,,,,,,,,', '\n\u0000', ',"'),
  })
  .map(({ spoilt, header, quoted, separator, lineBreak, tail }) => {
    const names = [...Object.keys(goodCells), ...(header ? [header] : [])];
    const rows = spoilt.map(([name, text]) => Object.values({ ...goodCells, [name]: text }));
    const cell = (text: string) => (quoted ? `"${text.replaceAll('"', '""')}"` : text);
    return [names, ...rows].map((row) => row.map(cell).join(separator)).join(lineBreak) + tail;
  });

/** A path segment, percent-encoded or broken on purpose. Whoever has it filled in stands in for `:id`. */
const segment: fc.Arbitrary<string | number> = fc.oneof(
  { weight: 6, arbitrary: fc.nat(20) },
  {
    weight: 4,
    arbitrary: fc.oneof(
      fc.constantFrom(
        '%',
        '%00',
        '%C3%28',
        '%ED%A0%80',
        '%F0%9F%93%A6',
        '..',
        '%2e%2e%2f',
        'null',
        '1',
        '-1',
        'x'.repeat(199),
        'x'.repeat(5000),
        '%20',
        'PKG-',
        ';',
        '01890000-0000-7000-8000-00000000000g',
      ),
      hostileText.map((text) => encodeURIComponent(text.toWellFormed()) || '%20'),
    ),
  },
);

const query = fc.oneof(
  { weight: 1, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.constantFrom(
            'limit',
            'cursor',
            'count',
            'q',
            'status',
            'from',
            'to',
            'role',
            'type',
            'unread',
            'state',
            'kind',
            'figure',
            'day',
            'days',
            'zone',
            'place',
            'order',
            'unknown',
            '__proto__',
            'constructor',
          ),
          fc.oneof(
            hostileText,
            fc.constantFrom(
              '1',
              '200',
              '201',
              '-1',
              'true',
              'active',
              'processing',
              'totalPackages',
              'onTime',
              'Europe/Berlin',
              'name',
              '90',
              'waiting',
              'incident',
              '2026-01-01',
              '2026-01-01T00:00:00Z',
            ),
          ),
        ),
        { maxLength: 3 },
      )
      .map(
        (pairs) => `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&')}`,
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '?',
      '?&&==',
      '?%',
      '?q=%00',
      '?q=%ED%A0%80',
      '?limit=1&limit=2',
      '?q[]=1',
      `?q=${'x'.repeat(5000)}`,
    ),
  },
);

const headers = fc.record(
  {
    'idempotency-key': fc.constantFrom('key', 'x'.repeat(300), 'with space', ''),
    'if-match': fc.constantFrom('"1"', '*', 'W/"1"', '"2", W/"3",, "1"', 'x', '"999999999999999999999"'),
    'content-type': fc.constantFrom(
      'application/json',
      'application/json; charset=utf-8',
      'application/json; charset=latin1',
      'text/plain',
      'application/xml',
      'text/csv',
      'multipart/form-data',
      'x',
    ),
    'user-agent': fc.constantFrom('', 'x'.repeat(2000), 'ü'),
    accept: fc.constantFrom('application/xml', '*/*'),
  },
  { requiredKeys: [] },
);

interface Sent {
  id: string | number;
  query: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const everyEndpoint = Object.values(endpoints as Record<string, Record<string, Endpoint>>)
  .flatMap((group) => Object.values(group))
  // A stream that opens does not end; its refusals are those of the lookup.
  .filter((endpoint) => endpoint.reply !== 'stream');

/** Calls that take somebody's session or rights get somebody new for each. */
const isDestructive = (endpoint: Endpoint) => /logout|password|sessions\/:id|^\/users\/:id/.test(endpoint.path);

async function tokenOf(role: Role | 'suspended' | 'nobody', endpoint: Endpoint): Promise<string | null> {
  if (role === 'nobody') return null;
  if (isDestructive(endpoint) && role !== 'suspended') return (await product.register(role)).token;
  return cast[role]?.token ?? null;
}

async function send(endpoint: Endpoint, token: string | null, { id, query, headers, body }: Sent) {
  const filled = typeof id === 'number' ? (ids[id % ids.length] ?? '') : id;
  return product.app.inject({
    method: endpoint.method,
    url: `/api${endpoint.path.replace(':id', filled)}${query}`,
    headers: {
      ...(body !== undefined && { 'content-type': endpoint.body === 'csv' ? 'text/csv' : 'application/json' }),
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { payload: body }),
  });
}

/** Where no body is documented, none but an empty one is let through. */
const noContent = { 'application/json': { schema: { type: 'object', maxProperties: 0 } } };

/** What any answer must be, whatever was asked: as the document says it. */
function judge(operation: Operation, sent: Sent, answer: Awaited<ReturnType<typeof send>>): void {
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
  } else if (documented?.content) expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  else expect(answer.body).toBe('');
  const content = operation.requestBody?.content ?? noContent;
  const input = content['application/json']?.schema;
  if (statusCode < 300 && input) expect(isAccepted(operation, input, sent.body), sent.body).toBe(true);
}

/** Whether the document lets this body through. White space around a text is cut before it is looked at. */
function isAccepted(operation: Operation, schema: JsonSchema, text: string | undefined): boolean {
  if (!text) return !operation.requestBody?.required;
  const trimmed: unknown = JSON.parse(text.replace(/^\ufeff/, ''), (_name, value: unknown) =>
    typeof value === 'string' ? value.trim() : value,
  );
  return validatorOf(schema)(trimmed);
}

const roles = ['nobody', 'owner', 'driver', 'admin', 'suspended'] as const;

describe.each(roles)('as %s', (role) => {
  test.each(everyEndpoint.map((endpoint) => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint })))(
    '$name answers whatever is thrown at it with what is documented',
    async ({ endpoint }) => {
      const operation = operationOf(endpoint);
      const input = fc.record({
        id: endpoint.path.includes(':id') ? segment : fc.constant(0),
        query,
        headers,
        body: bodyFor(endpoint, operation),
      });
      await fc.assert(
        fc.asyncProperty(input, async (sent) => {
          // An undeclared key is absent, not undefined: headers are plain strings.
          const call: Sent = { ...sent, headers: { ...sent.headers } };
          judge(operation, call, await send(endpoint, await tokenOf(role, endpoint), call));
        }),
        { numRuns: runsEach, ...(!isFull && { seed: 20_260_101 }) },
      );
    },
    isFull ? 600_000 : 60_000,
  );
});

describe('by name', () => {
  const post = (payload: string, contentType?: string) =>
    product.app.inject({
      method: 'POST',
      url: '/api/packages',
      payload,
      headers: {
        authorization: `Bearer ${cast.owner?.token ?? ''}`,
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
  ])('%s is answered as promised', async (_what, body, type, status, code) => {
    const answer = await post(body, type);
    expect(answer.statusCode).toBe(status);
    if (code) expect(answer.json()).toMatchObject({ code, requestId: expect.any(String) as string });
  });

  test('names that every object has are unknown fields like others', async () => {
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
