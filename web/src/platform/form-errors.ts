import { ApiError } from '@waybill/contract';

/** What the server says about each field; empty when it says nothing. */
export const fieldErrorsOf = (error: Error | null): Partial<Record<string, string>> =>
  error instanceof ApiError ? error.fields : {};
