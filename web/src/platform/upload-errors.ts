import { ApiError } from '@waybill/contract';
import { createStore } from './store.ts';

/** An upload that failed; the message is a sentence for the user. */
export class UploadError extends Error {
  /** The server has no store for files. */
  readonly notConfigured: boolean;
  /** No answer came. */
  readonly unreachable: boolean;
  constructor(message: string, { notConfigured = false, unreachable = false } = {}) {
    super(message);
    this.notConfigured = notConfigured;
    this.unreachable = unreachable;
  }
}

/** Given up before anything of the act was sent but pictures that nobody sees. */
export class CancelledError extends Error {}

const nothingSent = 'No connection. Nothing was sent; your entries are kept.';
const perhapsSent = 'The connection was lost: it may have arrived. Your entries are kept, and can be sent again.';

/** What became of an act that got no answer; null where there was one. */
export function unsentNoteOf(error: unknown): string | null {
  // An act is sent after its pictures.
  if (error instanceof UploadError) return error.unreachable ? nothingSent : null;
  if (!(error instanceof ApiError) || error.status !== 0) return null;
  return error.notSent ? nothingSent : perhapsSent;
}

/** The note on the latest act, beside which its dialog stands; null once it is tried again. */
export const unsentNotice = createStore<string | null>(null);
