import * as z from 'zod/mini';
import { errorCodes } from './errors.ts';

export const ErrorCode = z.enum(Object.keys(errorCodes) as [keyof typeof errorCodes, ...(keyof typeof errorCodes)[]]);
export type ErrorCode = z.output<typeof ErrorCode>;

/** The body of every error. `message` is a sentence for the user; `fields` has one message per invalid input path. */
export const ErrorReply = z.object({
  code: ErrorCode,
  message: z.string(),
  fields: z.optional(z.record(z.string(), z.string())),
  requestId: z.string(),
});
export type ErrorReply = z.output<typeof ErrorReply>;
