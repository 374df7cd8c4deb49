import { ApiError } from '@waybill/contract';
import { refresh } from '../platform/invalidation.ts';

/** After the driver's own mutation, succeeded or refused: every list may have changed. */
export const refreshDeliveries = () => refresh(['deliveries']);

/** On a weak signal a request may hang without any answer. A driver at a door does not wait longer than this. */
const answerTimeoutMs = 20_000;

/** Sends a request with a time limit: without an answer in time it fails like one without a connection, and may be repeated. */
export async function answered<Reply>(
  signal: AbortSignal,
  send: (timed: AbortSignal) => Promise<Reply>,
): Promise<Reply> {
  try {
    return await send(AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]));
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'TimeoutError') throw error;
    throw new ApiError(0, { message: 'The server did not answer. Please try again.' });
  }
}
