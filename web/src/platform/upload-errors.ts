import { ApiError } from '@waybill/contract';
import { createStore } from './store.ts';

/** A failed upload; the message is shown to the user. */
export class UploadError extends Error {
  /** The server has no file storage configured. */
  readonly notConfigured: boolean;
  /** There was no response. */
  readonly unreachable: boolean;
  constructor(message: string, { notConfigured = false, unreachable = false } = {}) {
    super(message);
    this.notConfigured = notConfigured;
    this.unreachable = unreachable;
  }
}

/** The mutation was cancelled during its uploads: nothing else was sent, and nothing refers to the uploaded images. */
export class CancelledError extends Error {}

const nothingSent = 'No connection. Nothing was sent; your entries are kept.';
const perhapsSent = 'The connection was lost: it may have arrived. Your entries are kept, and can be sent again.';

/** Whether a mutation without a response was sent, as a sentence for the user; null if there was a response. */
export function unsentNoteOf(error: unknown): string | null {
  // Images are uploaded before the mutation itself is sent.
  if (error instanceof UploadError) return error.unreachable ? nothingSent : null;
  if (!(error instanceof ApiError) || error.status !== 0) return null;
  return error.notSent ? nothingSent : perhapsSent;
}

/** The note on the last failed mutation, shown in its dialog; null again on the next attempt. */
export const unsentNotice = createStore<string | null>(null);
