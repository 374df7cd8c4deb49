import { errorCodes, messages, type ErrorCode } from '@waybill/contract';

/** An expected error with a stable code and a message for the user. Anything else that is thrown is logged, and hidden behind a 500. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { fields?: Record<string, string>; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.status = errorCodes[code];
    this.fields = more.fields;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

export const notFound = (thing: string) => new AppError('not_found', `This ${thing} does not exist`);
export const forbidden = () => new AppError('forbidden', messages.forbidden);
export const newRightsNeedSignIn = () => new AppError('forbidden', messages.signInForNewRights);
export const unauthenticated = () => new AppError('unauthenticated', messages.authenticationRequired);
export const passwordChangeRequired = () => new AppError('password_change_required', messages.passwordChangeRequired);
export const passwordRequired = () => new AppError('password_required', messages.passwordRequired);
export const secondFactorRequired = () => new AppError('second_factor_required', messages.secondFactorRequired);
export const notActive = () => new AppError('not_active', messages.notActive);
export const unavailable = (retryAfterSeconds = 1) =>
  new AppError('unavailable', 'The service is busy. Please try again in a moment.', { retryAfterSeconds });

/** Invalid input: one message per path. The first is also the message of the error. */
export function invalid(fields: Record<string, string>): AppError {
  const [first = 'The input is not valid'] = Object.values(fields);
  return new AppError('invalid', first, { fields });
}

/** The body of every error response. */
export function errorReply(known: AppError, requestId: string) {
  return { code: known.code, message: known.message, ...(known.fields && { fields: known.fields }), requestId };
}

/** The SQLSTATE of an error from PostgreSQL (five characters), or the code of a Node error; null if there is none. */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** Whether the error is a violation of this unique index. */
export const isUniqueViolation = (error: unknown, index: string): boolean =>
  sqlState(error) === '23505' && (error as { constraint?: string }).constraint === index;

const connectionErrors =
  /ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed|Query read timeout/;

/** SQLSTATE read_only_sql_transaction: the server is now a standby, or was set to read-only. */
export const readOnlyTransaction = '25006';

/** Whether the connection failed, rather than a statement on it. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof Error &&
  !(error instanceof AppError) &&
  connectionErrors.test(`${sqlState(error) ?? ''} ${error.message}`);

/**
 * Maps an error from the database to one for the caller; null if it is a bug of ours.
 * Values that PostgreSQL refuses (22xxx) are the caller's fault. A lost, full or restarting server (08, 53, 57, 58), deadlocks, lock and
 * transaction time-outs, and a server that became read-only after a failover (25006) are transient: 503.
 */
export function fromDatabase(error: unknown): AppError | null {
  const state = sqlState(error);
  if (state?.startsWith('22')) return new AppError('invalid', 'The input contains a value that cannot be stored');
  if (state === '23505') return new AppError('conflict', 'This already exists');
  if (state && /^(08|53|57|58|40001|40P01|55P03|25P0[34]|25006)/.test(state)) return unavailable();
  return isConnectionError(error) ? unavailable() : null;
}
