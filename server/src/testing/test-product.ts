import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createClient,
  type Client,
  type CreatePackageInput,
  type Package,
  type Role,
  type SignedIn,
} from '@waybill/contract';
import type { FastifyInstance, InjectOptions } from 'fastify';
import type pg from 'pg';
import sharp from 'sharp';
import { v7 as uuid } from 'uuid';
import type * as z from 'zod/mini';
import { readConfig } from '../config.ts';
import type { Ctx } from '../ctx.ts';
import { openLog } from '../observability/log.ts';
import type { Connection } from '../platform/database/db.ts';
import type { LiveOptions } from '../platform/live/notify.ts';
import { useCheapHashes } from '../platform/auth/passwords.ts';
import { cloneDatabase } from './postgres.ts';
import { openServer, type Server } from '../server.ts';

export interface TestOptions {
  now?: () => Date;
  live?: LiveOptions;
  /** Settings, as environment variables. */
  config?: Record<string, string>;
  /** Opens another server on the database and DATA_DIR of this one. */
  beside?: TestProduct;
  /** An existing database; by default a new one. */
  connection?: Connection;
  /** Whether this server runs background jobs; true by default. */
  runsJobs?: boolean;
  /** The destination of log lines. */
  logTo?: { write(line: string): void };
}

export interface TestUser {
  id: string;
  email: string;
  password: string;
  user: SignedIn;
  token: string;
  api: Client;
}

/** The whole product on its own database, used through its public API. */
export interface TestProduct {
  app: FastifyInstance;
  ctx: Ctx;
  connection: Connection;
  /** A typed API client, in process. */
  api(token?: string | null): Client;
  /** Listens on a free port; idempotent. @returns the URL */
  listen(): Promise<string>;
  /** A typed API client over real HTTP; call `listen` first. */
  http(token?: string | null): Client;
  /** Creates an account with a session. */
  register(role: Role, name?: string): Promise<TestUser>;
  close(): Promise<void>;
}

export const password = 'correct horse';

useCheapHashes();

let accounts = 0;

/**
 * Opens the product as `serve.ts` does; limits and load shedding are off, recipients get messages at any hour and nothing is logged unless
 * `config` says otherwise.
 */
export async function openTestProduct({
  now,
  live,
  config,
  beside,
  connection = beside?.connection,
  runsJobs = true,
  logTo,
}: TestOptions = {}): Promise<TestProduct> {
  connection ??= await cloneDatabase();
  const dataDir = beside?.ctx.config.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'waybill-test-'));
  // No test depends on the hour at which it runs.
  const unlimited = { RATE_LIMITS: 'off', LOAD_SHEDDING: 'off', RECIPIENT_QUIET_HOURS: 'off' };
  const settings = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', PORT: '0', ...unlimited, ...config });
  const product: Server = await openServer({
    config: settings,
    connection,
    log: openLog(process.env.TEST_LOG ?? settings.LOG_LEVEL, logTo),
    runsJobs,
    ...(now && { now }),
    ...(live && { live }),
  });
  let url = '';
  let listening: Promise<string> | null = null;
  const api = (token: string | null = null) =>
    createClient({ token: () => token, fetch: (path, init) => inject(product.app, path, init) });
  const self: TestProduct = {
    app: product.app,
    ctx: product.ctx,
    connection,
    api,
    listen: () => (listening ??= product.app.listen({ host: '127.0.0.1', port: 0 }).then((address) => (url = address))),
    http: (token = null) => createClient({ baseUrl: url, token: () => token }),
    async register(role, name = `${role} number ${++accounts}`) {
      const email = `${role}${++accounts}@example.com`;
      const user = await api().auth.register({ body: { name, email, password, role } });
      return { id: user.id, email, password, user, token: user.token, api: api(user.token) };
    },
    async close() {
      await product.close();
      if (!beside) rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return self;
}

/** `fetch` without a network: calls the app in process. */
export async function inject(app: FastifyInstance, url: string, init: RequestInit): Promise<Response> {
  const answer = await app.inject({
    url,
    method: init.method as InjectOptions['method'] & string,
    headers: init.headers as Record<string, string>,
    ...(init.body != null && { payload: init.body as string }),
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) headers.set(name, String(value));
  return new Response(answer.statusCode === 204 ? null : new Uint8Array(answer.rawPayload), {
    status: answer.statusCode,
    headers,
  });
}

/** A valid input for creating a package; `fields` overrides some of it. */
export const packageInput = (fields: Partial<z.input<typeof import('@waybill/contract').CreatePackageInput>> = {}) => ({
  name: 'Desk lamp',
  description: 'A lamp for the desk, in two parts',
  category: 'Furniture' as CreatePackageInput['category'],
  weight: 2.5,
  recipientName: 'Anna Maria Berg',
  recipientContact: '+49 151 2345678',
  ...fields,
});

export const createPackage = (owner: TestUser, fields: Parameters<typeof packageInput>[0] = {}): Promise<Package> =>
  owner.api.packages.create({ body: packageInput(fields) });

/** For a test that has changed packages or events by SQL: lookups then read the tables instead of the stored views. */
export const markViewsStale = (product: TestProduct) => product.ctx.db.query('update public_views set stale = true');

/** Uploads a small image like the web app. @returns the `image` for other calls */
export async function uploadImage(product: TestProduct, user: TestUser, background = 'teal'): Promise<string> {
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .jpeg()
    .toBuffer();
  const body = { name: 'photo.jpg', type: 'image/jpeg' as const, size: bytes.length };
  const { url, headers, image } = await user.api.images.announce({ body });
  const put = await product.app.inject({ method: 'PUT', url, headers, payload: bytes });
  if (put.statusCode !== 200) throw new Error(`the upload was answered ${put.statusCode}`);
  return image;
}

/** Creates a dead letter: the failed notification of a package's owner about its latest event. @returns the job's id */
export async function createDeadLetter(product: Pick<TestProduct, 'ctx'>, packageId: string): Promise<string> {
  const id = uuid();
  await product.ctx.db.query(
    `with event as (select * from package_events where package_id = $2 order by id desc limit 1),
       letter as (
         insert into jobs.job (name, data, output, source_name, source_id, source_retry_count)
         select 'dead-letters', jsonb_build_object('eventId', id::text), '{"reason": "planted"}', 'notify-owner', $1, 8 from event)
     insert into notification_deliveries
       (id, channel, job, event_id, type, at, package_id, tracking_id, incident_number, user_id, state, attempts, error)
     select $1, 'in-app', 'notify-owner', id, type, at, package_id, (select tracking_id from packages where id = $2), incident_number, owner_id, 'failed', 9, 'planted' from event`,
    [id, packageId],
  );
  return id;
}

/** Polls until the condition holds. The deadline only catches a broken product: no result depends on the speed of the machine. */
export async function eventually(
  what: string,
  condition: () => Promise<boolean> | boolean,
  withinMs = 100_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  let pauseMs = 5;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    // Back off: the awaited work needs the CPU too.
    pauseMs = Math.min(pauseMs * 1.5, 200);
  }
}

/**
 * Waits until this many statements wait for a lock of this transaction, or behind others that do. A test that holds a lock thus makes
 * concurrent calls arrive in a known order.
 */
export const untilWaiting = (
  holder: { query(sql: string): Promise<object[] | pg.QueryResult> },
  statements: number,
): Promise<void> =>
  eventually(`${statements} statements wait for a lock`, async () => {
    // What was read before in the same transaction is kept otherwise.
    await holder.query('select pg_stat_clear_snapshot()');
    const waiting = await holder.query(
      // Without statements of background jobs: inserting a notification waits for the user's row as well.
      `with recursive waiting as (
         select pg_backend_pid() as pid, null::text as query
         union select a.pid, a.query from pg_stat_activity a join waiting w on w.pid = any(pg_blocking_pids(a.pid)))
       select from waiting
       where query not like all(array['%from notification_preferences%', '%insert into notifications%', '%outbox_readers%'])`,
    );
    return ('rows' in waiting ? waiting.rows : waiting).length >= statements;
  });

/** Waits until no job is pending or running. */
export const untilJobsDone = (product: TestProduct): Promise<void> =>
  eventually('the jobs', async () => {
    const left = await product.ctx.db.query("select from jobs.job where state in ('created', 'retry', 'active')");
    return left.length === 0;
  });

export interface Watcher {
  /** The events received so far. */
  events: { event: string; data: unknown }[];
  /** The reason with which the server closed the stream, or null. */
  bye(): string | null;
  /** Whether the stream has ended, for any reason. */
  ended(): boolean;
  stop(): void;
}

/** Opens a stream of server-sent events over real HTTP. Resolves after its first event. */
export async function watch(product: TestProduct, path: string, token: string | null = null): Promise<Watcher> {
  const abort = new AbortController();
  const response = await fetch(`${await product.listen()}/api${path}`, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
    signal: abort.signal,
  });
  if (!response.ok || !response.body) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  let ended = false;
  const watcher: Watcher = {
    events: [],
    bye: () => {
      const last = watcher.events.find(({ event }) => event === 'bye')?.data;
      return last ? (last as { reason: string }).reason : null;
    },
    ended: () => ended,
    stop: () => abort.abort(),
  };
  void readEvents(response.body, watcher.events)
    .catch(() => {})
    .finally(() => (ended = true));
  await eventually('the first event', () => watcher.events.length > 0 || ended);
  return watcher;
}

async function readEvents(body: NonNullable<Response['body']>, into: Watcher['events']): Promise<void> {
  let rest = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (event && data !== undefined) into.push({ event, data: JSON.parse(data) as unknown });
    }
  }
}

/** For changes of a route, whatever others have changed: no version is newer. */
export const anyVersion = 1_000_000;
