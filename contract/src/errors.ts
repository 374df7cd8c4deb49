import * as z from 'zod/mini';

/** Every error code and its HTTP status. The list is closed: the server sends no other code. */
export const errorCodes = {
  unreadable: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  totp_required: 401,
  totp_wrong: 401,
  forbidden: 403,
  not_active: 403,
  sign_up_closed: 403,
  password_change_required: 403,
  password_required: 403,
  second_factor_required: 403,
  not_found: 404,
  no_carrier: 404,
  request_timeout: 408,
  conflict: 409,
  stale: 409,
  email_taken: 409,
  tracking_id_taken: 409,
  reference_taken: 409,
  already_started: 409,
  no_longer_available: 409,
  illegal_step: 409,
  planned: 409,
  empty: 409,
  no_driver: 409,
  other_route: 409,
  no_route: 409,
  no_place: 409,
  off_duty: 409,
  no_consent: 409,
  public_url_missing: 409,
  not_delivered: 409,
  already_rated: 409,
  still_running: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  key_reused: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
  storage_not_configured: 503,
} as const;
export const ErrorCode = z.enum(Object.keys(errorCodes) as [keyof typeof errorCodes, ...(keyof typeof errorCodes)[]]);
export type ErrorCode = keyof typeof errorCodes;

/** The body of every error. `message` is a sentence for the user; `fields` has one message per invalid input path. */
export const ErrorReply = z.object({
  code: ErrorCode,
  message: z.string(),
  fields: z.optional(z.record(z.string(), z.string())),
  requestId: z.string(),
});
export type ErrorReply = z.output<typeof ErrorReply>;

export const messages = {
  authenticationRequired: 'Authentication required. Please log in again.',
  invalidCredentials: 'Invalid email or password. Please try again.',
  forbidden: 'You do not have permission to perform this action',
  signInForNewRights: 'You have been given new rights. Sign in again to use them.',
  passwordChangeRequired: 'Please set a new password first. Yours was made for one sign-in.',
  passwordRequired: 'Please enter your password again to go on.',
  secondFactorRequired: 'Please set up a second factor first: administrators need one here.',
  totpRequired: 'Please enter the code of your authenticator app.',
  totpWrong: 'This code is not right. Please try again.',
  notActive: 'Your account is not active. Please contact support.',
  alreadyStarted: 'This delivery has already been started by another driver',
  planned: 'This delivery is planned',
  startYourRoute: 'Start your route first',
  noStartedRoute: 'Start your route first: the stops are added at its end',
  noLongerAvailable: 'This delivery is no longer available',
  storageNotConfigured: 'AWS S3 is not properly configured. Please check your environment variables.',
} as const;
