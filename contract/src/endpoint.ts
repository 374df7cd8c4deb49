import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import type { Permission, Role } from './permissions.ts';

/**
 * Who may call an endpoint.
 * `public`: anybody. `session`: any signed-in user, also one whose account is not active. `active`: any active user.
 * An object: active users with one of the roles (when named) and one of the permissions (when named).
 */
export type Access = 'public' | 'session' | 'active' | { role?: Role; anyOf?: readonly Permission[] };

/** Whose objects the endpoint reaches, as enforced in its SQL. Told here so that readers and reviewers need not guess. */
export type Scope =
  | 'none'
  | 'self'
  | 'own packages'
  | 'own deliveries'
  | 'own incidents'
  | 'unclaimed deliveries'
  | 'whoever holds the tracking ID'
  | 'everything';

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api`, with `:name` for parameters. */
  path: `/${string}`;
  access: Access;
  scope: Scope;
  /** What it does, for the API reference, where its name does not say it. */
  summary?: string;
  params?: z.ZodMiniType;
  query?: z.ZodMiniType;
  /** JSON of this schema, or `csv`: a file as `text/csv` in UTF-8, whose rows its own use case checks. */
  body?: z.ZodMiniType | 'csv';
  /** Instead of a body: multipart/form-data with one file. */
  file?: FileInput;
  /**
   * The reply's schema, or `none` (204), or `stream` (server-sent events), or `csv` (a file to keep, sent while it is read).
   * Nothing that it does not declare leaves the server.
   */
  reply: z.ZodMiniType | 'none' | 'stream' | 'csv';
  /** 201 where something is created, 202 where it is only accepted; else 200, or 204 without a reply. */
  status?: 201 | 202;
  /** A list: answers a JSON array, with the next page in `Link` and the count in `X-Total-Count`. */
  list?: true;
  /** What the client says when no answer came at all. */
  failure?: string;
  /** The errors of its own, beside those that every endpoint of its kind has. */
  errors?: readonly ErrorCode[];
  /**
   * As what its calls are counted, by the name of a limit of `RATE_LIMITS`; `own`: its use case counts them. A write that says nothing
   * counts as one of the account's writes, or of the address's where nobody need be signed in.
   */
  limit?: 'create' | 'claim' | 'upload' | 'signOut' | 'own';
  /** Also for users who signed in with a one-time password and have not set their own yet. `session` endpoints always are. */
  withOneTimePassword?: true;
  /**
   * The room of its own that it has under load; without it, that of files or of all the rest. `sign`: a password is hashed. `lookups`: of the
   * public tracker. `actions`: what drivers do on the road.
   */
  load?: 'sign' | 'lookups' | 'actions';
  /** Also for administrators who still have to set up a second factor, where the settings ask for one. `session` endpoints always are. */
  withoutSecondFactor?: true;
  /** Asks for the password again when the session's last proof of it is older than 15 minutes. Exports always do. */
  reauthenticate?: true;
  /** The answer holds a secret, so it is kept nowhere: a repeated request makes a new one instead of getting the first. */
  holdsSecret?: true;
  /**
   * What becomes of a second POST with the same Idempotency-Key, where it does not get the first answer, kept beside the change: its use
   * case knows it, or it is made again.
   */
  repeats?: 'are known by the use case' | 'are made again';
  /** What its last id names, for a faulty one, where the path before the id does not say it. */
  noun?: string;
}

/** Whether the caller's password must have been given within the last 15 minutes. */
export const needsRecentPassword = ({ reauthenticate, reply }: Endpoint): boolean =>
  reauthenticate === true || reply === 'csv';

/** Whether it takes an Idempotency-Key. */
export const takesIdempotencyKey = ({ access, holdsSecret, method, repeats }: Endpoint): boolean =>
  method === 'POST' && access !== 'public' && !holdsSecret && repeats !== 'are made again';

/** The id of what an answer is about: of a package, where it is about something of a package. */
export function subjectOf(reply: unknown): string | null {
  const { packageId, id } = (reply ?? {}) as Record<string, unknown>;
  const subject = packageId ?? id;
  return typeof subject === 'string' && /^[0-9a-f-]{36}$/i.test(subject) ? subject : null;
}

export interface FileInput {
  field: string;
  maxBytes: number;
  /** What the server says when there is none, or too much of it. */
  missing: string;
  tooLarge: string;
}

export type Group = Record<string, Endpoint>;

/** Keeps the literal types of a group of endpoints, and checks them. */
export const group = <const G extends Group>(endpoints: G): G => endpoints;
