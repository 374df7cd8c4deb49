import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import type { Permission, Role } from './permissions.ts';

/**
 * Who may call an endpoint.
 * `public`: anybody. `session`: any signed-in user, also one whose account is not active. `active`: any active user.
 * An object: active users with the role (if given) and at least one of the permissions (if given).
 */
export type Access = 'public' | 'session' | 'active' | { role?: Role; anyOf?: readonly Permission[] };

/** Whose objects the endpoint reaches, as enforced in its SQL. Declared here for readers, reviewers and the API reference. */
export type Scope =
  | 'none'
  | 'self'
  | 'own packages'
  | 'own deliveries'
  | 'own incidents'
  | 'unclaimed deliveries'
  | 'whoever holds the tracking ID'
  | 'whoever holds the recipient’s link'
  | 'everything';

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api`, with `:name` for parameters. */
  path: `/${string}`;
  access: Access;
  scope: Scope;
  /** For the API reference, where the name does not say what the endpoint does. */
  summary?: string;
  params?: z.ZodMiniType;
  query?: z.ZodMiniType;
  /** JSON of this schema, or `csv`: a file as `text/csv` in UTF-8, whose rows the use case validates. */
  body?: z.ZodMiniType | 'csv';
  /** Instead of a body: multipart/form-data with one file. */
  file?: FileInput;
  /**
   * The reply's schema, or `none` (204), or `stream` (server-sent events), or `csv` (a download, streamed from the database), or
   * `pdf` or `zip`: a whole file. Undeclared fields are stripped before the reply leaves the server.
   */
  reply: z.ZodMiniType | 'none' | 'stream' | 'csv' | 'pdf' | 'zip';
  /** 201 for created, 202 for accepted; without it 200, or 204 where there is no reply. */
  status?: 201 | 202;
  /** The reply is a JSON array, with the next page in `Link` and the count in `X-Total-Count`. */
  list?: true;
  /** The client's message for a network error. */
  failure?: string;
  /** Its specific errors, in addition to those of every endpoint of its kind. */
  errors?: readonly ErrorCode[];
  /**
   * The rate limit of `RATE_LIMITS` that its calls consume; `own`: the use case consumes it. By default a write counts against the writes
   * of the account, or of the IP address on a public endpoint.
   */
  limit?: 'create' | 'claim' | 'upload' | 'signOut' | 'optimize' | 'own';
  /** Also for users who signed in with a one-time password and have not set their own yet. `session` endpoints always are. */
  withOneTimePassword?: true;
  /**
   * Its class for load shedding: each class has a separate limit of in-flight requests. The default is the class of files or of everything
   * else. `sign`: hashes a password. `lookups`: the public tracker. `actions`: what drivers do on the road.
   */
  load?: 'sign' | 'lookups' | 'actions' | 'shared';
  /** Also for administrators who must set up a second factor first, where the settings require one. `session` endpoints always are. */
  withoutSecondFactor?: true;
  /** Requires the password again if the session last confirmed it more than 15 minutes ago. Exports always do. */
  reauthenticate?: true;
  /** The reply contains a secret, so it is never stored for an Idempotency-Key: a repeated request creates a new secret. */
  holdsSecret?: true;
  /**
   * How a repeated POST with the same Idempotency-Key is handled where the stored reply of the first one is not used: the use case
   * deduplicates it, or it is executed again.
   */
  repeats?: 'are deduplicated by the use case' | 'are executed again';
  /** The resource that its last id names, for the error about an invalid id, where the path before the id does not name it. */
  noun?: string;
}

/** Whether the caller must have confirmed the password within the last 15 minutes. */
export const needsRecentPassword = ({ reauthenticate, reply }: Endpoint): boolean =>
  reauthenticate === true || reply === 'csv';

/** Whether the endpoint accepts an Idempotency-Key. */
export const takesIdempotencyKey = ({ access, holdsSecret, method, repeats }: Endpoint): boolean =>
  method === 'POST' && access !== 'public' && !holdsSecret && repeats !== 'are executed again';

/** The id of the reply's subject: its `packageId` if it has one, else its `id`; null if that is no UUID. */
export function subjectOf(reply: unknown): string | null {
  const { packageId, id } = (reply ?? {}) as Record<string, unknown>;
  const subject = packageId ?? id;
  return typeof subject === 'string' && /^[0-9a-f-]{36}$/i.test(subject) ? subject : null;
}

export interface FileInput {
  field: string;
  maxBytes: number;
  /** The messages for a missing file and for one over `maxBytes`. */
  missing: string;
  tooLarge: string;
}

export type Group = Record<string, Endpoint>;

/** Type-checks a group of endpoints and preserves its literal types. */
export const group = <const G extends Group>(endpoints: G): G => endpoints;
