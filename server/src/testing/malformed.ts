import type { Endpoint, FileInput } from '@waybill/contract';
import fc from 'fast-check';
import type { JsonSchema } from '../api-docs/json-schema.ts';
import type { Operation } from '../api-docs/openapi.ts';

/** A generated request for fuzzing, with parts that may be malformed. */
export interface MalformedRequest {
  /** The path segment, or an existing object: of the right kind for the endpoint, or of any kind. */
  id: string | { kind: 'right' | 'any'; index: number };
  query: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Existing objects and fitting values to use in a body. */
interface KnownObjects {
  /** The id of an object; the index may exceed the number of objects. */
  id(index: number): string;
  /** Valid values by field name. */
  fields: Readonly<Record<string, readonly string[]>>;
  /** The JSON of bodies that were accepted. */
  sound: readonly string[];
}

/** Generates requests from nearly valid to entirely malformed. */
export const malformedRequest = (
  endpoint: Endpoint,
  operation: Operation,
  known: KnownObjects,
): fc.Arbitrary<MalformedRequest> =>
  fc.record({
    id: endpoint.path.includes(':id') ? segment : fc.constant(''),
    query: queryFor(operation, known),
    headers,
    body: bodyFor(endpoint, operation, known),
  });

const malformedText = fc.oneof(
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
const malformedNumber = fc.constantFrom(
  -1,
  0,
  -0,
  1e308,
  -1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  1e21,
  -(2 ** 63),
  0.1 + 0.2,
);
const malformedValue: fc.Arbitrary<unknown> = fc.oneof(
  malformedText,
  malformedNumber,
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

/** Generates values that are valid against a schema. */
function valueOf(schema: JsonSchema, known: KnownObjects): fc.Arbitrary<unknown> {
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
  if (anyOf) return fc.oneof(...anyOf.map((option) => valueOf(option, known)));
  if (schema.format === 'uuid') return fc.nat(1000).map((index) => known.id(index));
  if (schema.format === 'date-time') return fc.constantFrom('2036-05-05T08:00:00.000Z', '2036-05-05T19:00:00+02:00');
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
  if (type === 'array') return fc.array(valueOf(items ?? {}, known), { maxLength: Math.min(maxItems ?? 3, 3) });
  if (properties) {
    const fields = Object.entries(properties).map(([name, field]) => {
      const valid = valueOf(field, known);
      const fitting = known.fields[name];
      return [
        name,
        fitting
          ? fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: valid })
          : valid,
      ] as const;
    });
    const requiredFields = fields.filter(([name]) => required?.includes(name));
    return fc.oneof(
      fc.record(Object.fromEntries(requiredFields)),
      fc.record(Object.fromEntries(fields), { requiredKeys: required ?? [] }),
    );
  }
  return fc.constantFrom<unknown>(null, 'text', 7);
}

const bound = (limit: unknown, fallback: number) =>
  typeof limit === 'number' && Math.abs(limit) < 1e9 ? limit : fallback;

/** Generates the body as text, since much of it is not JSON. */
function bodyFor(
  { body, file, method }: Endpoint,
  operation: Operation,
  known: KnownObjects,
): fc.Arbitrary<string | undefined> {
  if (method === 'GET') return fc.constant(undefined);
  if (body === 'csv') return fc.oneof(malformedCsv, bodyNear(undefined));
  if (file) return fc.oneof(malformedForm(file), bodyNear(undefined));
  const schema = operation.requestBody?.content['application/json']?.schema;
  const sound = known.sound.map((body) => fc.constant(JSON.parse(body) as unknown));
  return fc
    .oneof(schema ? valueOf(schema, known) : fc.constant(undefined), ...sound)
    .chain((valid) => bodyNear(valid as object | undefined));
}

function bodyNear(valid: object | undefined): fc.Arbitrary<string | undefined> {
  const names = Object.keys(valid ?? {});
  const withMalformedField = fc
    .record({
      field: fc.constantFrom(...names, 'unknown', 'constructor', 'toString', 'id', 'status', 'role', 'version'),
      value: fc.option(malformedValue, { nil: undefined }),
    })
    .map(({ field, value }) => JSON.stringify({ ...valid, [field]: value }));
  const whole = JSON.stringify(valid ?? {});
  return fc.oneof(
    { weight: 8, arbitrary: withMalformedField },
    { weight: 8, arbitrary: fc.constant(whole) },
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
        // Deep nesting in an unknown field.
        `${whole.slice(0, -1)}${names.length > 0 ? ',' : ''}"_id":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      ),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  );
}

const validCells = {
  name: 'Desk lamp',
  description: 'A lamp for the desk',
  category: 'Furniture',
  weight: '2.5',
  recipientName: 'Anna Berg',
  recipientContact: '+49 151 2345678',
  trackingId: '',
  eta: '2036-05-05',
  windowFrom: '2036-05-05T08:00:00Z',
  fragile: 'yes',
};

/** Generates a CSV file with malformed cells, separators, line breaks and quotation marks. */
const malformedCsv = fc
  .record({
    malformed: fc.array(fc.tuple(fc.constantFrom(...Object.keys(validCells)), malformedText), { maxLength: 3 }),
    header: fc.constantFrom('', 'unknown', 'name', 'id', '__proto__', 'address.street'),
    quoted: fc.boolean(),
    separator: fc.constantFrom(',', ';', '\t', '|'),
    lineBreak: fc.constantFrom('\n', '\r\n', '\r', '\n\n'),
    tail: fc.constantFrom('', '"', '\n"open', '\n,,,,,,,,,,,,,,,,', '\n\u0000', ',"'),
  })
  .map(({ malformed, header, quoted, separator, lineBreak, tail }) => {
    const names = [...Object.keys(validCells), ...(header ? [header] : [])];
    const rows = malformed.map(([name, text]) => Object.values({ ...validCells, [name]: text }));
    const cell = (text: string) => (quoted ? `"${text.replaceAll('"', '""')}"` : text);
    return [names, ...rows].map((row) => row.map(cell).join(separator)).join(lineBreak) + tail;
  });

const boundary = 'boundary-of-parts';

const mostly = <T>(valid: T, ...others: fc.Arbitrary<T>[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(valid) }, { weight: 1, arbitrary: fc.oneof(...others) });

/** Generates a multipart form with a file whose field name, file name, type and bytes may be malformed. */
const malformedForm = ({ field }: FileInput) =>
  fc
    .record({
      name: mostly(field, fc.constantFrom('unknown', '__proto__', '')),
      fileName: mostly('lamp.gif', fc.constantFrom('../../etc/passwd', 'a\u0000.gif', 'x'.repeat(300)), malformedText),
      type: mostly('image/gif', fc.constantFrom('image/png', 'image/svg+xml', 'text/html', '', 'x')),
      bytes: mostly(gif, fc.constantFrom(gif.slice(0, 20), '', '<svg/>', '%PDF-1.7'), malformedText),
      parts: mostly(1, fc.constantFrom(0, 2)),
      end: mostly(`--${boundary}--\r\n`, fc.constantFrom('', `--${boundary}`)),
    })
    .map(({ parts, end, ...part }) => partOf(part).repeat(parts) + end);

interface FormPart {
  /** Of the field. */
  name: string;
  fileName: string;
  type: string;
  /** As text. */
  bytes: string;
}

const partOf = ({ name, fileName, type, bytes }: FormPart): string =>
  [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${name}"; filename="${fileName}"`,
    `Content-Type: ${type}`,
    '',
    bytes,
    '',
  ].join('\r\n');

/** A multipart form with one file. */
export const formOf = (part: FormPart): string => `${partOf(part)}--${boundary}--\r\n`;

// The smallest possible GIF. All bytes are below 128, so that it can be sent as text.
const gif =
  'GIF87a\u0001\u0000\u0001\u0000\u0000\u0000\u0000,\u0000\u0000\u0000\u0000\u0001\u0000\u0001\u0000\u0000\u0002\u0002D\u0001\u0000;';

/** The content type that an endpoint expects. */
export const typeOf = ({ body, file }: Endpoint): string =>
  file ? `multipart/form-data; boundary=${boundary}` : body === 'csv' ? 'text/csv' : 'application/json';

/** Generates a path segment: an id, percent-encoded text or an invalid encoding. */
const segment: fc.Arbitrary<MalformedRequest['id']> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('right' as const), index: fc.nat(1000) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('any' as const), index: fc.nat(1000) }) },
  {
    weight: 3,
    arbitrary: fc.oneof(
      fc.constantFrom(
        '%',
        '%00',
        '%C3%28',
        '%ED%A0%80',
        '%F0%9F%93%A6',
        '..%2f',
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
      malformedText.map((text) => encodeURIComponent(text.toWellFormed()) || '%20'),
    ),
  },
);
const malformedQuery = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('', `?x=${'y'.repeat(9000)}`) },
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
            malformedText,
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

/** Generates a documented query or a malformed one. */
function queryFor({ parameters }: Operation, known: KnownObjects): fc.Arbitrary<string> {
  const documented = parameters.filter((parameter) => parameter.in === 'query');
  const properties = Object.fromEntries(documented.map(({ name, schema }) => [name, schema]));
  const required = documented.filter((parameter) => parameter.required).map(({ name }) => name);
  const valid = valueOf({ properties, required }, known).map(
    (values) =>
      `?${Object.entries(values as object)
        .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
        .join('&')}`,
  );
  return fc.oneof({ weight: 1, arbitrary: valid }, { weight: 2, arbitrary: malformedQuery });
}

/** An unexpected content type is rarely generated, since it is refused before anything else is validated. */
const headers = fc
  .record(
    {
      'idempotency-key': fc.constantFrom('key', 'x'.repeat(300), 'with space', ''),
      'if-match': fc.constantFrom('"1"', '*', 'W/"1"', '"2", W/"3",, "1"', 'x', '"999999999999999999999"'),
      'user-agent': fc.constantFrom('', 'x'.repeat(2000), 'ü'),
      accept: fc.constantFrom('application/xml', '*/*'),
    },
    { requiredKeys: [] },
  )
  .chain((others) =>
    fc.oneof(
      { weight: 9, arbitrary: fc.constant(others) },
      { weight: 1, arbitrary: otherType.map((type) => ({ ...others, 'content-type': type })) },
    ),
  ) as fc.Arbitrary<Record<string, string>>;

const otherType = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=latin1',
  'text/plain',
  'application/xml',
  'text/csv',
  'multipart/form-data',
  'x',
);
