import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { needsRecentPassword, takesIdempotencyKey, type Access, type Endpoint, type Group } from '@waybill/contract';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { acquireSlot, hasBody, markResponding, withTokenSlot } from '../load/load-shedding.ts';
import { networkOf } from '../origin/addresses.ts';
import { acceptCsv, receiveCsv } from '../csv/csv-body.ts';
import type { CsvFile } from '../csv/csv.ts';
import type { Db, Tx } from '../database/db.ts';
import {
  forbidden,
  invalid,
  newRightsNeedSignIn,
  notActive,
  notFound,
  passwordChangeRequired,
  passwordRequired,
  secondFactorRequired,
  unauthenticated,
} from '../errors.ts';
import { idempotent, pathOf } from './idempotency.ts';
import { isSearch, loadClassOf } from '../load/load-classes.ts';
import { acceptMultipart, readFile, type UploadedFile } from './multipart.ts';
import type { RateLimits } from '../load/rate-limits.ts';
import { createTempDir } from '../storage/temp-dir.ts';
import type { Actor, Sessions } from '../auth/sessions.ts';
import type { Count } from '../database/keyset-lists.ts';

/** One page of a list. `next` is the cursor of the next page, null on the last; `total` is null if it was not requested. */
export interface Page<T> {
  items: T[];
  next: string | null;
  count: Count | null;
}

type Output<E, K extends 'params' | 'query' | 'body'> = E extends { [P in K]: infer S extends z.ZodMiniType }
  ? z.output<S>
  : E extends { [P in K]: 'csv' }
    ? Buffer
    : undefined;

type ActorOf<E extends Endpoint> = E['access'] extends 'public' ? null : Actor;

export interface Call<E extends Endpoint> {
  actor: ActorOf<E>;
  params: Output<E, 'params'>;
  query: Output<E, 'query'>;
  body: Output<E, 'body'>;
  file: E extends { file: object } ? UploadedFile : undefined;
  request: FastifyRequest;
}

/** A whole file. A browser shows a PDF, and saves a ZIP archive. */
export interface WholeFile {
  name: string;
  bytes: Uint8Array;
}

type HandlerResult<E extends Endpoint> = E['reply'] extends z.ZodMiniType
  ? E extends { list: true }
    ? Page<z.input<E['reply']> extends (infer T)[] ? T : never>
    : z.input<E['reply']>
  : E['reply'] extends 'csv'
    ? CsvFile
    : E['reply'] extends 'pdf' | 'zip'
      ? WholeFile
      : void;

/** JSON text made by PostgreSQL, sent without the serializer. A test checks its shape instead. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Handlers get a context per request: for a POST with an Idempotency-Key, `ctx.db` is wrapped to store and replay the reply. */
type Handler<C, E extends Endpoint> = E['reply'] extends 'stream'
  ? (ctx: C, call: Call<E>, reply: FastifyReply) => Promise<void>
  : (ctx: C, call: Call<E>, reply: FastifyReply) => Promise<HandlerResult<E> | JsonText>;

/** Rate limits that are consumed here: those named by endpoints, all other writes, and stored Idempotency-Keys. */
type HttpLimit = Exclude<Endpoint['limit'], 'own' | undefined> | 'write' | 'anonymousWrite' | 'keys';

/** The part of a handler's context that `bind` itself needs. */
interface BaseContext {
  db: Db;
  rateLimits: RateLimits<HttpLimit>;
  sessions: Sessions;
  log: Logger;
}

/** Checks that the caller may still see the stored reply of a repeated request. @throws not_found or forbidden otherwise */
type RequireVisible = (tx: Tx, actor: Actor, reply: unknown) => Promise<void>;

/**
 * Registers routes for a group of the contract's endpoints. A missing handler is a type error.
 * @param requireVisible checks access before a stored reply is replayed; the endpoint's own access rule was checked before
 */
export function bind<C extends BaseContext, G extends Group>(
  app: FastifyInstance,
  ctx: C,
  group: G,
  handlers: { [N in keyof G]: Handler<C, G[N]> },
  requireVisible: RequireVisible = async () => {},
): void {
  for (const [name, endpoint] of Object.entries(group)) {
    // The types require these; this catches casts.
    if (!endpoint.access || !endpoint.scope || !endpoint.reply) {
      throw new Error(`${endpoint.method} ${endpoint.path} lacks its access rule, scope or reply`);
    }
    const handle = handlers[name] as unknown as AnyHandler<C>;
    if (endpoint.body !== 'csv' && !endpoint.file) serve(app, ctx, endpoint, handle, requireVisible);
    else {
      // In a scope of its own, so that all other routes accept only JSON.
      void app.register(async (scope) => {
        if (endpoint.file) await acceptMultipart(scope);
        else acceptCsv(scope);
        serve(scope, ctx, endpoint, handle, requireVisible);
      });
    }
  }
}

type AnyHandler<C> = (ctx: C, call: object, reply: FastifyReply) => Promise<unknown>;

/** For the limit `keys`: each key is stored for 7 days with its reply. */
const tooManyKeys =
  'Too many requests with an Idempotency-Key today. Please try again tomorrow, or send requests without one.';

function serve<C extends BaseContext>(
  app: FastifyInstance,
  ctx: C,
  endpoint: Endpoint,
  handle: AnyHandler<C>,
  requireVisible: RequireVisible,
): void {
  const { access } = endpoint;
  const load = loadClassOf(endpoint);
  const readsBody = endpoint.file !== undefined || endpoint.body === 'csv';
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: {
      load,
      ...(endpoint.list && { loadOf: ({ query }) => (isSearch(endpoint, query) ? 'searches' : load) }),
      ...(readsBody && { readsBody }),
    },
    ...(access !== 'public' && {
      // Authorize before the body is read or anything else is spent on the request.
      onRequest: async (request) => {
        request.actor = await authorize(ctx.sessions, endpoint, access, request);
      },
    }),
    handler: async (request, reply) => {
      // The session may have ended, or lost rights, while the body arrived.
      const authorizeAgain = async () => {
        if (access !== 'public') request.actor = await authorize(ctx.sessions, endpoint, access, request);
      };
      if (hasBody(request) && !readsBody) await authorizeAgain();
      await limitWrites(ctx.rateLimits, endpoint, request.actor, request);
      const input = readInput(endpoint, request);
      await using tempDir = readsBody ? await createTempDir() : null;
      const file = endpoint.file && tempDir && (await readFile(request, endpoint.file, tempDir.path));
      const table = endpoint.body === 'csv' && tempDir && (await receiveCsv(request, tempDir.path));
      if (readsBody) {
        if (!(await acquireSlot(request))) return reply;
        await authorizeAgain();
      }
      const { actor } = request;
      const call = { actor, request, ...input, file, ...(table && { body: await table.read() }) };
      const repeatable = actor !== null && !endpoint.repeats && takesIdempotencyKey(endpoint);
      const key = repeatable ? readIdempotencyKey(request) : null;
      if (key !== null && actor) await ctx.rateLimits.take('keys', actor.id, { message: tooManyKeys });
      const db =
        repeatable && key !== null
          ? idempotent(ctx.db, {
              userId: actor.id,
              path: pathOf(`/api${endpoint.path}`, input.params),
              key,
              body: file ? await fingerprintOf(file) : request.body,
              requireVisible: (tx, reply) => requireVisible(tx, actor, reply),
            })
          : ctx.db;
      const answer = await handle(db === ctx.db ? ctx : { ...ctx, db }, call, reply);
      if (endpoint.reply === 'stream') return reply;
      markResponding(request);
      if (endpoint.reply === 'none') return reply.code(204).send();
      reply.code(endpoint.status ?? 200);
      if (endpoint.reply === 'csv') return sendCsv(ctx.log, request, reply, answer as CsvFile);
      if (endpoint.reply === 'pdf' || endpoint.reply === 'zip')
        return sendFile(reply, endpoint.reply, answer as WholeFile);
      if (answer instanceof JsonText) return sendJson(reply, answer.text);
      const page = endpoint.list ? (answer as Page<unknown>) : null;
      if (page) addPageHeaders(request, reply, page);
      if (hasVersion(answer)) reply.header('etag', `"${answer.version}"`);
      const write = serializerOf(endpoint.reply, reply);
      return sendJson(reply, page ? textOf(page, write) : write(answer));
    },
  });
}

/** Rate-limits every write: by the endpoint's limit, else by the general one. Limit 'own' and exports are consumed in their use cases. */
async function limitWrites(
  rateLimits: RateLimits<HttpLimit>,
  { method, limit }: Endpoint,
  actor: Actor | null,
  request: FastifyRequest,
): Promise<void> {
  if (method === 'GET' || limit === 'own') return;
  if (actor) await rateLimits.take(limit ?? 'write', actor.id);
  else await rateLimits.take('anonymousWrite', networkOf(request.ip));
}

/** The bearer token of a request, or null. Never read from the URL: URLs get logged. */
export function bearerToken(request: FastifyRequest): string | null {
  return /^Bearer ([\w-]{1,100})$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

const actors = new WeakMap<FastifyRequest, Actor>();

/** The account of a request's valid token; null for visitors, and before `authorize` has run. */
export const actorOf = (request: FastifyRequest): Actor | null => actors.get(request) ?? null;

async function authorize(
  sessions: Sessions,
  endpoint: Endpoint,
  access: Exclude<Access, 'public'>,
  request: FastifyRequest,
): Promise<Actor> {
  const token = bearerToken(request);
  const actor = token && (sessions.findCached(token) ?? (await withTokenSlot(request, () => sessions.find(token))));
  if (!actor) throw unauthenticated();
  actors.set(request, actor);
  if (access === 'session') return actor;
  if (actor.status !== 'active') throw notActive();
  if (actor.mustChangePassword && !endpoint.withOneTimePassword) throw passwordChangeRequired();
  if (actor.mustSetUpSecondFactor && !endpoint.withoutSecondFactor) throw secondFactorRequired();
  if (access !== 'active') requireAccess(access, actor);
  if (needsRecentPassword(endpoint) && !(await sessions.isProved(actor.sessionId))) throw passwordRequired();
  return actor;
}

function requireAccess({ role, anyOf }: Exclude<Access, string>, actor: Actor): void {
  if (role && actor.role !== role) throw forbidden();
  if (anyOf && !anyOf.some((permission) => actor.permissions.includes(permission)))
    throw anyOf.some((permission) => actor.gained.includes(permission)) ? newRightsNeedSignIn() : forbidden();
}

function readInput(endpoint: Endpoint, request: FastifyRequest) {
  const params = endpoint.params?.safeParse(request.params);
  // A malformed id is a 404, like an unknown one.
  if (params && !params.success) throw notFound(endpoint.noun ?? nounOf(endpoint.path));
  return {
    params: params?.data,
    query: endpoint.query ? parse(endpoint.query, request.query ?? {}) : undefined,
    body: endpoint.file || endpoint.body === 'csv' ? undefined : parse(endpoint.body ?? noBody, request.body),
  };
}

/** The noun for a 404, from the path's last id: 'package' for '/packages/:id/rating', 'session' for '/users/:id/sessions/:sessionId'. */
function nounOf(path: string): string {
  const noun = /([a-z]+)\/:(?!.*\/:)/.exec(path)?.[1] ?? 'page';
  return noun.replace(/ies$/, 'y').replace(/s$/, '');
}

/** Endpoints without a body refuse fields: a caller who sends some expects them to have an effect. */
const noBody = z.optional(z.strictObject({}));

function parse(schema: z.ZodMiniType, input: unknown): unknown {
  const checked = check(schema, input);
  if ('fields' in checked) throw invalid(checked.fields);
  return checked.value;
}

/** Bounds the response to a request with thousands of invalid fields. */
const maxFaults = 50;

/** Validates input. @returns the parsed value, or one message per invalid path, for users (50 at most) */
export function check<S extends z.ZodMiniType>(
  schema: S,
  input: unknown,
): { value: z.output<S> } | { fields: Record<string, string> } {
  const parsed = schema.safeParse(input, { error: humanMessage });
  if (parsed.success) return { value: parsed.data };
  // A Map, since a field may be named 'constructor'.
  const fields = new Map<string, string>();
  for (const issue of parsed.error.issues) {
    const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    const message = issue.code === 'unrecognized_keys' ? 'This field is not known' : issue.message;
    for (const path of paths) {
      if (fields.size >= maxFaults) break;
      const name = path.join('.').slice(0, 200) || 'body';
      if (!fields.has(name)) fields.set(name, message);
    }
  }
  return { fields: Object.fromEntries(fields) };
}

/** Messages for users where the contract has none: zod's own are for programmers. */
function humanMessage(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'This field is required';
  if (issue.code === 'invalid_type') return `Must be ${kinds[issue.expected] ?? `of the type ${issue.expected}`}`;
  if (issue.code === 'invalid_value') return `Must be one of: ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_format' && issue.format === 'uuid') return 'Must be an id';
  if (issue.code === 'too_big' && issue.origin === 'array') return `Must be at most ${issue.maximum} entries`;
  if (issue.code === 'too_big' && issue.origin !== 'string') return `Must be at most ${issue.maximum}`;
  if (issue.code === 'too_small' && issue.origin !== 'string') return `Must be at least ${issue.minimum}`;
  return 'This value is not valid';
}

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** Fingerprint of an upload, to recognize a repeat with the same Idempotency-Key. */
async function fingerprintOf({ name, type, path }: UploadedFile): Promise<string[]> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return [name, type, hash.digest('base64')];
}

/** The request's Idempotency-Key, or null. @throws invalid if it is malformed */
export function readIdempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(key))
    throw invalid({ 'Idempotency-Key': 'Must be 1 to 200 visible ASCII characters' });
  return key;
}

const sendJson = (reply: FastifyReply, text: string) => reply.type('application/json; charset=utf-8').send(text);

type Serializer = (answer: unknown) => string;

/** Compiled JSON serializers by reply schema. They write only the fields that the schema declares. */
const serializers = new WeakMap<z.ZodMiniType, Serializer>();

/** Compiled lazily, at the first reply: compiling all (about a hundred) at the start would take a quarter of its time. */
function serializerOf(schema: z.ZodMiniType, reply: FastifyReply): Serializer {
  let writer = serializers.get(schema);
  if (!writer) {
    writer = reply.compileSerializationSchema(
      z.toJSONSchema(schema, { target: 'draft-7', io: 'output', override: markNullable }),
    ) as Serializer;
    serializers.set(schema, writer);
  }
  return writer;
}

/**
 * Writes `nullable: true` instead of a choice between a schema and null. For a choice the serializer compiles validators at its first reply
 * (100 ms for those of a package) and runs them for every value.
 */
function markNullable({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const [schema, other, ...more] = jsonSchema.anyOf ?? [];
  if (typeof schema !== 'object' || typeof other !== 'object' || other.type !== 'null' || more.length > 0) return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, schema, { nullable: true });
}

/** The texts of pages, because several requests may share one. */
const pageTexts = new WeakMap<Page<unknown>, string>();

function textOf(page: Page<unknown>, write: Serializer): string {
  const text = pageTexts.get(page) ?? write(page.items);
  pageTexts.set(page, text);
  return text;
}

function addPageHeaders(request: FastifyRequest, reply: FastifyReply, { next, count }: Page<unknown>): void {
  if (count) reply.header('x-total-count', count.total);
  if (count?.isCapped) reply.header('x-total-count-capped', 'true');
  if (next !== null) {
    const url = new URL(request.url, 'http://localhost');
    url.searchParams.set('cursor', next);
    reply.header('link', `<${url.pathname}${url.search}>; rel="next"`);
  }
}

/** Streams a file. If the query fails midway, the socket is destroyed, so that the client cannot mistake a truncated file for a complete one. */
async function sendCsv(log: Logger, request: FastifyRequest, reply: FastifyReply, file: CsvFile) {
  const disconnected = new AbortController();
  if (reply.raw.destroyed) disconnected.abort();
  reply.raw.once('close', () => disconnected.abort());
  const chunks = file.chunks(disconnected.signal);
  // An error before the first rows becomes a normal error response.
  const first = await chunks.next();
  const body = Readable.from(withFirst(first, chunks), { highWaterMark: 1 });
  body.on('error', (error) => {
    if (!disconnected.signal.aborted)
      log.error({ requestId: request.id, reason: error.message }, 'an export broke off');
  });
  reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${file.name}"`);
  return reply.send(body);
}

async function* withFirst(first: IteratorResult<string>, rest: AsyncGenerator<string>) {
  if (!first.done) yield first.value;
  yield* rest;
}

const sendFile = (reply: FastifyReply, type: 'pdf' | 'zip', { name, bytes }: WholeFile) =>
  reply
    .type(`application/${type}`)
    .header('content-disposition', `${type === 'pdf' ? 'inline' : 'attachment'}; filename="${name}"`)
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));

const tag = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const tags = new RegExp(tag, 'g');
const tagList = new RegExp(String.raw`^(?:[ \t]*${tag})?(?:[ \t]*,(?:[ \t]*${tag})?)*[ \t]*$`);

/** Whether an `If-Match` matches this version: `*`, or a list of entity tags. Weak tags never match (RFC 9110, 13.1.1). */
export const allowsVersion = (ifMatch: string, version: number): boolean =>
  ifMatch.trim() === '*' || (tagList.test(ifMatch) && (ifMatch.match(tags)?.includes(`"${version}"`) ?? false));

const hasVersion = (answer: unknown): answer is { version: number } =>
  typeof answer === 'object' && answer !== null && 'version' in answer;

/** Makes a page of `rows`, which were queried with limit + 1 to see whether there is a next page. */
export function pageOf<Row, T>(
  rows: Row[],
  limit: number,
  count: Count | null,
  idOf: (row: Row) => string,
  present: (row: Row) => T,
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { items: shown.map(present), next: rows.length > limit && last ? idOf(last) : null, count };
}
