import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, errorReply } from '../errors.ts';

const refusals: Record<string, () => AppError> = {
  ERR_HTTP_REQUEST_TIMEOUT: () => new AppError('request_timeout', 'The request took too long to arrive'),
  HPE_HEADER_OVERFLOW: () => new AppError('too_large', 'The address or the headers are too long'),
};

/** Answers requests that Node's HTTP parser refuses, with the same error body as every other error. @param headers of the response */
export const rejectMalformedRequest =
  (headers: OutgoingHttpHeaders) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (socket.destroyed || error.code === 'ECONNRESET') return;
    const refusal = refusals[error.code ?? '']?.() ?? new AppError('unreadable', 'The request could not be read');
    const requestId = randomUUID();
    const body = JSON.stringify(errorReply(refusal, requestId));
    const lines = Object.entries({
      ...headers,
      'x-request-id': requestId,
      connection: 'close',
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    }).map(([name, value]) => `${name}: ${String(value)}\r\n`);
    if (socket.writable)
      socket.write(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`);
    socket.destroySoon();
  };
