import * as contract from '@waybill/contract';
import {
  ErrorReply,
  endpoints,
  needsRecentPassword,
  errorCodes,
  takesIdempotencyKey,
  type Access,
  type Endpoint,
  type ErrorCode,
} from '@waybill/contract';
import * as z from 'zod/mini';
import type { JsonSchema } from './json-schema.ts';
import { exampleOf } from './openapi-examples.ts';
import { fileExamples, streamExamples } from './openapi-files.ts';
import { summaries } from './openapi-summaries.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Content> };
  responses: Record<string, Response>;
}

export interface Response {
  description: string;
  headers?: Record<string, { description: string; schema: JsonSchema }>;
  content?: Record<string, Content>;
}

interface Content {
  schema: JsonSchema;
  example?: unknown;
}

export interface OpenApi {
  openapi: string;
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, JsonSchema> };
}

const tags: Record<keyof typeof endpoints, string> & Record<string, string> = {
  auth: 'Sign-in, sign-up and sign-out',
  images: 'Uploads of images',
  users: 'Accounts, and the caller’s profile',
  roles: 'Built-in and custom roles',
  packages: 'Packages, as their owners and administrators see them',
  labels: 'Labels to print and stick on packages',
  deliveries: 'Deliveries: packages as their drivers see them',
  depots: 'Depots: where packages wait, and where routes begin and end',
  places: 'Places of addresses: suggestions while typing, and the address at a place',
  addresses: 'The address book of an owner',
  map: 'What the map is made of, and uploads of OpenStreetMap extracts',
  routes: 'Routes: the stops of one driver and day, in order',
  offers: 'Offers: stops that a driver offers to a colleague',
  dispatch: 'What waits to be planned, and acts on several routes at once',
  plans: 'The best routes of a day: searched, compared and planned',
  positions: 'Where drivers are who have agreed to share it, and their consent',
  shifts: 'When drivers work, and who is on duty',
  absences: 'When drivers are away: sick, on holiday, or else',
  tracking: 'The public view of a package, by its tracking ID',
  recipients: 'What recipients see and change by their link, without an account',
  live: 'Live updates for signed-in users: hints about what changed',
  incidents: 'Reported issues',
  contact: 'Messages of visitors to the administrators',
  notifications: 'A user’s notifications and preferences, and the delivery log of all notifications',
  templates: 'The texts of messages, which administrators can change',
  audit: 'The audit log: access to and changes of other users’ permissions and data',
  persons: 'What is stored about a person: found, exported and erased',
  clientErrors: 'Error reports of browsers',
  settings: 'Settings of the installation, and the source of each value',
  stats: 'Figures for administrators, and the rows that each counts',
  inventory: 'Packages by place and status, and those that wait longest',
};

const about = `Times are ISO 8601 in UTC with milliseconds, calendar days YYYY-MM-DD, weights kg, dimensions cm. Lists are arrays, newest
first; the next page is in the \`Link\` header. Every error is \`{ code, message, fields?, requestId }\` with a code of a closed list.
429 and 503 have a \`Retry-After\` header.`;

/** The example of a multipart form: its required fields are files. */
const formExample = ({ required }: JsonSchema) =>
  Object.fromEntries((required as string[]).map((field) => [field, field === 'image' ? 'lamp.jpg' : field]));

/** The contract as an OpenAPI 3.1 document. */
export function describeApi(): OpenApi {
  const schemas: Record<string, JsonSchema> = {};
  const replyOf = replySchemas(schemas);
  const paths: OpenApi['paths'] = {};
  for (const [group, members] of Object.entries(endpoints as Record<string, Record<string, Endpoint>>)) {
    for (const [name, endpoint] of Object.entries(members)) {
      const path = `/api${endpoint.path.replace(/:(\w+)/g, '{$1}')}`;
      (paths[path] ??= {})[endpoint.method.toLowerCase()] = describe(group, name, endpoint, replyOf);
    }
  }
  for (const operation of Object.values(paths).flatMap((operations) => Object.values(operations)))
    addExamples(operation, schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Waybill',
      version: '1',
      description: about,
      license: { name: 'Not licensed for others', identifier: 'LicenseRef-None' },
    },
    servers: [{ url: '/' }],
    tags: Object.keys(endpoints).map((name) => ({ name, description: tags[name] ?? name })),
    paths,
    components: {
      schemas,
      securitySchemes: { session: { type: 'http', scheme: 'bearer', description: 'The session token from a sign-in' } },
    },
  };
}

function describe(
  group: string,
  name: string,
  endpoint: Endpoint,
  replyOf: (schema: z.ZodMiniType) => JsonSchema,
): Operation {
  const requestBody = bodyOf(endpoint);
  return {
    operationId: `${group}.${name}`,
    tags: [group],
    summary: endpoint.summary ?? summaries[`${group}.${name}`] ?? titleOf(name),
    description: `For ${callersOf(endpoint.access)}. Reaches: ${endpoint.scope}.`,
    security: endpoint.access === 'public' ? [] : [{ session: [] }],
    parameters: parametersOf(endpoint),
    ...(requestBody && { requestBody }),
    responses: {
      [successOf(endpoint)]: successResponseOf(endpoint, replyOf),
      ...errorResponsesOf(endpoint),
    },
  };
}

/** Adds examples to the request and to the success response; errors need none. */
function addExamples(
  { operationId, tags: [group = ''], requestBody, responses }: Operation,
  schemas: OpenApi['components']['schemas'],
) {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  for (const content of [requestBody?.content, success?.content]) {
    const json = content?.['application/json'];
    if (json) json.example = exampleOf(json.schema, schemas, { group, sent: content === requestBody?.content });
    const csv = content?.['text/csv'];
    if (csv) csv.example = fileExamples[operationId];
    const stream = content?.['text/event-stream'];
    if (stream) stream.example = streamExamples[operationId];
    const pdf = content?.['application/pdf'];
    if (pdf) pdf.example = '%PDF-1.3 …';
    const zip = content?.['application/zip'];
    if (zip) zip.example = 'PK …';
    const form = content?.['multipart/form-data'];
    if (form) form.example = formExample(form.schema);
  }
}

export const successOf = ({ reply, status }: Endpoint): number => (reply === 'none' ? 204 : (status ?? 200));

const titleOf = (name: string) => {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function callersOf(access: Access): string {
  if (access === 'public') return 'anybody';
  if (access === 'session') return 'every signed-in user, also while the account is not active';
  if (access === 'active') return 'every active user';
  const who = access.role ? `active users with the role ${access.role}` : 'active users';
  return access.anyOf ? `${who}${access.role ? ' and' : ' with'} ${access.anyOf.join(' or ')}` : who;
}

/** Exported schemas are defined once in `components`, by the name of their export; all others are inlined. */
function replySchemas(into: Record<string, JsonSchema>): (schema: z.ZodMiniType) => JsonSchema {
  const named = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(contract)) if (schema instanceof z.ZodMiniType) named.add(schema, { id });
  const schemaOf = (schema: z.ZodMiniType): JsonSchema => {
    const {
      $defs = {},
      $schema: _,
      id: _id,
      ...shape
    } = z.toJSONSchema(schema, {
      metadata: named,
      io: 'output',
      unrepresentable: 'any',
    }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
    for (const [id, { id: _inner, ...definition }] of Object.entries($defs)) into[id] = inComponents(definition);
    return inComponents(shape);
  };
  into.Error = schemaOf(ErrorReply);
  return (schema) => {
    const shape = schemaOf(schema);
    const id = named.get(schema)?.id;
    // toJSONSchema returns a recursive named schema as a reference already.
    if (!id || '$ref' in shape) return shape;
    into[id] = shape;
    return { $ref: `#/components/schemas/${id}` };
  };
}

const inComponents = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;

function inputSchema(
  schema: z.ZodMiniType,
): JsonSchema & { properties?: Record<string, JsonSchema>; required?: string[] } {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return shape as JsonSchema;
}

function parametersOf(endpoint: Endpoint): Parameter[] {
  const inPath = endpoint.params ? inputSchema(endpoint.params).properties : undefined;
  const query = endpoint.query && inputSchema(endpoint.query);
  return [
    ...[...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
      name,
      in: 'path' as const,
      required: true,
      schema: inPath?.[name] ?? { type: 'string' },
    })),
    ...Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'query' as const,
      required: query?.required?.includes(name) ?? false,
      schema,
    })),
    ...(takesIdempotencyKey(endpoint) ? [idempotencyKey] : []),
  ];
}

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes retries safe: the same key and body get the first response again, for 7 days',
  schema: { type: 'string', pattern: '^[!-~]{1,200}$' },
};

function bodyOf({ body, file }: Endpoint): Operation['requestBody'] {
  if (file) {
    const schema = {
      type: 'object',
      properties: { [file.field]: { type: 'string', contentMediaType: 'application/octet-stream' } },
      required: [file.field],
    };
    return { required: true, content: { 'multipart/form-data': { schema } } };
  }
  if (body === 'csv') return { required: true, content: { 'text/csv': { schema: { type: 'string' } } } };
  if (!body) return undefined;
  return {
    required: !body.safeParse(undefined).success,
    content: { 'application/json': { schema: inputSchema(body) } },
  };
}

const requestId = { description: 'The id of the request, also in the log', schema: { type: 'string' } };

function successResponseOf(endpoint: Endpoint, replyOf: (schema: z.ZodMiniType) => JsonSchema): Response {
  const { list, reply } = endpoint;
  if (reply === 'none') return { description: 'Done', headers: { 'X-Request-Id': requestId } };
  if (reply === 'stream')
    return {
      description: 'Server-sent events, until either side closes the stream; `bye` has the reason',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    };
  if (reply === 'csv')
    return {
      description: 'A file, streamed',
      headers: { 'Content-Disposition': { description: 'The file name', schema: { type: 'string' } } },
      content: { 'text/csv': { schema: { type: 'string' } } },
    };
  if (reply === 'pdf' || reply === 'zip') {
    const type = `application/${reply}`;
    return {
      description: reply === 'pdf' ? 'A PDF file' : 'A ZIP archive',
      headers: { 'Content-Disposition': { description: 'The file name', schema: { type: 'string' } } },
      content: { [type]: { schema: { type: 'string', contentMediaType: type } } },
    };
  }
  return {
    description: endpoint.status === 201 ? 'The created object' : 'The result',
    headers: {
      'X-Request-Id': requestId,
      ...(list && {
        Link: { description: 'The next page: `<…>; rel="next"`', schema: { type: 'string' } },
        'X-Total-Count': {
          description: 'The total number, with `count=true`, up to 10,000',
          schema: { type: 'integer' },
        },
        'X-Total-Count-Capped': {
          description: '`true` where there are more',
          schema: { type: 'string', enum: ['true'] },
        },
      }),
    },
    content: { 'application/json': { schema: replyOf(reply) } },
  };
}

/** Every error code of an endpoint: those of its kind, and its specific ones. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const { access, method, params, query } = endpoint;
  const codes: ErrorCode[] = ['too_large', 'too_many_requests', 'unavailable', 'internal', ...(endpoint.errors ?? [])];
  if (access !== 'public') codes.push('unauthenticated');
  if (access !== 'public' && access !== 'session') codes.push('not_active', 'forbidden');
  if (access !== 'public' && access !== 'session' && !endpoint.withOneTimePassword)
    codes.push('password_change_required');
  if (access !== 'public' && access !== 'session' && !endpoint.withoutSecondFactor)
    codes.push('second_factor_required');
  if (needsRecentPassword(endpoint)) codes.push('password_required');
  if (params) codes.push('not_found');
  if (query || params) codes.push('invalid');
  // A body is parsed, and rejected, even if none is expected.
  if (method !== 'GET') codes.push('invalid', 'unreadable', 'request_timeout', 'unsupported_media_type', 'conflict');
  if (takesIdempotencyKey(endpoint)) codes.push('invalid', 'still_running', 'key_reused');
  return [...new Set(codes)];
}

function errorResponsesOf(endpoint: Endpoint): Record<string, Response> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(endpoint))
    byStatus.set(errorCodes[code], [...(byStatus.get(errorCodes[code]) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.join(', '),
        ...((status === 429 || status === 503) && {
          headers: { 'Retry-After': { description: 'In seconds', schema: { type: 'integer' } } },
        }),
        content: {
          'application/json': {
            schema: {
              allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }],
            },
          },
        },
      },
    ]),
  );
}
