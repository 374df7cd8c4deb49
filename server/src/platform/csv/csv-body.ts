import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, invalid, unavailable } from '../errors.ts';

/** The largest file that is taken, in bytes. */
const maxBytes = 10 * 1024 * 1024;

const refused = new AppError('unsupported_media_type', 'The request must be CSV (text/csv), not compressed');
const tooLarge = () => new AppError('too_large', 'The request is too large');

/** CSV and nothing else, for the routes of this scope. It is taken as it comes: somebody who packs it could unpack a gigabyte here. */
export function acceptCsv(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  // The body stays a stream.
  scope.addContentTypeParser('text/csv', (request, _body, done) =>
    done((request.headers['content-encoding'] ?? 'identity') === 'identity' ? null : refused),
  );
  scope.addContentTypeParser('*', (_request, _body, done) => done(refused));
}

/** Receives the body into a folder: while it is on its way it takes no memory. @returns what reads it */
export async function receiveCsv(
  { headers, raw }: FastifyRequest,
  folder: string,
): Promise<{ read(): Promise<Buffer> }> {
  // Said in advance, it need not be waited for.
  if (Number(headers['content-length']) > maxBytes) throw tooLarge();
  const path = join(folder, 'sent');
  const writing = createWriteStream(path);
  try {
    // Not in the pipeline itself: a fault would take the connection with it, and the sender is to be told.
    const body = raw.pipe(atMost(maxBytes));
    raw.once('error', (error) => body.destroy(error));
    await pipeline(body, writing);
  } catch (error) {
    if (error instanceof AppError) throw error;
    // The disk's trouble, not the sender's.
    if (error instanceof Error && 'syscall' in error && !raw.readableAborted) throw unavailable(5);
    throw new AppError('unreadable', 'The request could not be read: its body did not come whole');
  }
  if (writing.bytesWritten === 0) throw invalid({ body: 'The file is empty' });
  return { read: () => readFile(path) };
}

/** Passes on so many bytes and fails at the first one more. */
function atMost(bytes: number): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      done(passed > bytes ? tooLarge() : null, chunk);
    },
  });
}
