import { errorCodes, messages, type ErrorCode } from '@waybill/contract';

/** A known error: a stable code, a sentence for the user. Anything else that is thrown is logged and hidden. */
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

/** Faulty input: one message per path, the first of which is also the message of the whole. */
export function invalid(fields: Record<string, string>): AppError {
  const [first = 'The input is not valid'] = Object.values(fields);
  return new AppError('invalid', first, { fields });
}

/** The one form in which errors are told. */
export function errorReply(known: AppError, requestId: string) {
  return { code: known.code, message: known.message, ...(known.fields && { fields: known.fields }), requestId };
}

/** PostgreSQL's five-letter error code, where an error has one. */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** Whether this is what a unique index says of a second row like one that is there. */
export const isUniqueViolation = (error: unknown, index: string): boolean =>
  sqlState(error) === '23505' && (error as { constraint?: string }).constraint === index;

const connectionErrors =
  /ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed|Query read timeout/;

/** The server takes no writes: it is a standby by now, or was told so. */
export const readOnlyTransaction = '25006';

/** Whether the connection itself failed, rather than a statement on it. */
export const isConnectionTrouble = (error: unknown): boolean =>
  error instanceof Error &&
  !(error instanceof AppError) &&
  connectionErrors.test(`${sqlState(error) ?? ''} ${error.message}`);

/**
 * What an error from the database means to the caller, or null where it is our fault.
 * Values PostgreSQL refuses are the caller's (22xxx); a lost, full or restarting server is trouble that passes (08, 53, 57, locks),
 * as is one that takes no writes any longer since another does (25006).
 */
export function fromDatabase(error: unknown): AppError | null {
  const state = sqlState(error);
  if (state?.startsWith('22')) return new AppError('invalid', 'The input contains a value that cannot be stored');
  if (state === '23505') return new AppError('conflict', 'This already exists');
  if (state && /^(08|53|57|58|40001|40P01|55P03|25P0[34]|25006)/.test(state)) return unavailable();
  return isConnectionTrouble(error) ? unavailable() : null;
}
