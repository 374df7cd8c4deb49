import { ApiError } from '@waybill/contract';

/** The server's validation errors by field path; empty if there are none. */
export const fieldErrorsOf = (error: Error | null): Partial<Record<string, string>> =>
  error instanceof ApiError ? error.fields : {};
