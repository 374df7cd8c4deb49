import type * as z from 'zod/mini';
import type { Endpoint, Group } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import type { ErrorCode, ErrorReply } from './error-schemas.ts';

type Part<E, K extends 'params' | 'query' | 'body', How extends 'required' | 'optional'> = E extends {
  [P in K]: infer S extends z.ZodMiniType;
}
  ? How extends 'required'
    ? { [P in K]: z.input<S> }
    : { [P in K]?: z.input<S> }
  : unknown;

interface Options {
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** Makes a retry of this POST safe: the server answers it with the first reply. */
  idempotencyKey?: string;
}

type CsvBody<E> = E extends { body: 'csv' } ? { body: string | Blob } : unknown;

type QueryStrings<E> = E extends { query: z.ZodMiniType }
  ? { query?: Record<string, string | number | boolean | undefined> }
  : unknown;

type FilePart<E> = E extends { file: object } ? { file: File } : unknown;

type Input<E extends Endpoint> = Part<E, 'params', 'required'> &
  FilePart<E> &
  (E extends { body: z.ZodMiniType }
    ? undefined extends z.input<E['body']>
      ? Part<E, 'body', 'optional'>
      : Part<E, 'body', 'required'>
    : unknown) &
  CsvBody<E> &
  QueryStrings<E> &
  Options;

/** One page of a list. `next` is the cursor of the next page, or null; `total` is null unless `count` was set. */
export interface Page<T> {
  items: T[];
  next: string | null;
  total: number | null;
  /** There are more than `total`. */
  isCapped: boolean;
}

type Reply<E extends Endpoint> = E['reply'] extends z.ZodMiniType
  ? E extends { list: true }
    ? Page<z.output<E['reply']> extends (infer T)[] ? T : never>
    : z.output<E['reply']>
  : E['reply'] extends 'stream' | 'csv' | 'pdf' | 'zip'
    ? Response
    : undefined;

type Call<E extends Endpoint> =
  {} extends Input<E> ? (input?: Input<E>) => Promise<Reply<E>> : (input: Input<E>) => Promise<Reply<E>>;

export type Client = {
  [G in keyof typeof endpoints]: {
    [N in keyof (typeof endpoints)[G]]: (typeof endpoints)[G][N] extends Endpoint
      ? Call<(typeof endpoints)[G][N]>
      : never;
  };
};

/** An error response; `status` is 0 if there was no response at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'network';
  readonly fields: Record<string, string>;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  /** The browser was offline, so the request was not sent. If false with status 0, the request may have reached the server. */
  readonly notSent: boolean;

  constructor(status: number, reply: Partial<ErrorReply>, retryAfterSeconds: number | null = null, notSent = false) {
    super(reply.message ?? `API Error: ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = reply.code ?? 'network';
    this.fields = reply.fields ?? {};
    this.requestId = reply.requestId ?? null;
    this.retryAfterSeconds = retryAfterSeconds;
    this.notSent = notSent;
  }
}

export interface ClientOptions {
  /** Scheme, host and port; empty in a browser on the same origin. */
  baseUrl?: string;
  /** The current bearer token. */
  token?: () => string | null;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Whether the browser is offline. Called before each request, which is sent in any case. */
  offline?: () => boolean;
  /** Called with every error before it is thrown; the web signs out on 401. */
  onError?: (error: ApiError) => void;
}

/** Makes the function that calls an endpoint. Errors are thrown as ApiError. */
export function createCall({
  baseUrl = '',
  token = () => null,
  fetch: send = (url, init) => globalThis.fetch(url, init),
  offline = () => false,
  onError,
}: ClientOptions = {}): (endpoint: CalledEndpoint) => (input?: CallInput) => Promise<unknown> {
  return (endpoint) =>
    async (input = {}) => {
      const bearer = token();
      const headers: Record<string, string> = { accept: 'application/json', ...input.headers };
      if (bearer && !headers.authorization) headers.authorization = `Bearer ${bearer}`;
      if (input.idempotencyKey) headers['idempotency-key'] = input.idempotencyKey;
      if (endpoint.reply === 'stream') headers.accept = 'text/event-stream';
      if (endpoint.reply === 'csv') headers.accept = 'text/csv, application/json';
      if (endpoint.reply === 'pdf') headers.accept = 'application/pdf, application/json';
      if (endpoint.reply === 'zip') headers.accept = 'application/zip, application/json';
      const init: RequestInit = { method: endpoint.method, headers };
      if (input.signal) init.signal = input.signal;
      if (endpoint.file && input.file) {
        // No content type here: fetch sets it, with the multipart boundary.
        init.body = new FormData();
        init.body.append(endpoint.file.field, input.file);
      } else if (endpoint.body === 'csv') {
        headers['content-type'] = 'text/csv; charset=utf-8';
        init.body = input.body as string | Blob;
      } else if (input.body !== undefined) {
        headers['content-type'] = 'application/json';
        init.body = JSON.stringify(input.body);
      }
      const notSent = offline();
      try {
        return await readReply(endpoint, await send(baseUrl + urlOf(endpoint, input), init));
      } catch (error) {
        const known = asApiError(error, notSent, endpoint.failure);
        if (known) onError?.(known);
        throw known ?? error;
      }
    };
}

/** A typed client of the whole contract, for the browser, tests and benches. Errors are thrown as ApiError. */
export function createClient(options: ClientOptions = {}): Client {
  const call = createCall(options);
  const bindGroup = (group: Group) =>
    Object.fromEntries(Object.entries(group).map(([name, endpoint]) => [name, call(endpoint)]));
  // Object.fromEntries loses the keys, so the exact mapped type needs a cast.
  const client: unknown = Object.fromEntries(
    Object.entries(endpoints).map(([name, group]) => [name, bindGroup(group)]),
  );
  return client as Client;
}

/** What a call reads of its endpoint: builds of the web strip the rest. */
export type CalledEndpoint = Pick<Endpoint, 'method' | 'path' | 'body' | 'reply' | 'list' | 'file' | 'failure'>;

interface CallInput extends Options {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  file?: File;
}

/** The path below the host, with its parameters and query string. */
export function urlOf(
  endpoint: Pick<Endpoint, 'path'>,
  { params = {}, query = {} }: Pick<CallInput, 'params' | 'query'> = {},
): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return `/api${path}${search.size ? `?${search}` : ''}`;
}

function asApiError(
  error: unknown,
  notSent: boolean,
  failure = 'The server could not be reached. Please try again.',
): ApiError | null {
  if (error instanceof ApiError) return error;
  // fetch throws a TypeError for network errors.
  return error instanceof TypeError ? new ApiError(0, { message: failure }, null, notSent) : null;
}

const isFile = (reply: Endpoint['reply']): boolean =>
  reply === 'stream' || reply === 'csv' || reply === 'pdf' || reply === 'zip';

async function readReply(endpoint: CalledEndpoint, response: Response): Promise<unknown> {
  if (!response.ok) {
    const reply: unknown = await response.json().catch(() => ({}));
    const retryAfter = Number(response.headers.get('retry-after'));
    throw new ApiError(response.status, typeof reply === 'object' && reply ? reply : {}, retryAfter || null);
  }
  if (isFile(endpoint.reply)) return response;
  if (response.status === 204 || endpoint.reply === 'none') return undefined;
  const body: unknown = await response.json();
  if (!endpoint.list) return body;
  const next = /<[^>]*[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  const total = response.headers.get('x-total-count');
  return {
    items: body,
    next: next ? decodeURIComponent(next) : null,
    total: total === null ? null : Number(total),
    isCapped: response.headers.has('x-total-count-capped'),
  };
}
