import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, invalid, unavailable } from '../errors.ts';

/** Largest accepted file, in bytes. */
const maxBytes = 10 * 1024 * 1024;

const refused = new AppError('unsupported_media_type', 'The request must be CSV (text/csv), not compressed');
const tooLarge = () => new AppError('too_large', 'The request is too large');
const isEmpty = () => invalid({ body: 'The file is empty' });

/** Accepts only CSV in the routes of this scope. Compressed bodies are refused: a small one could expand to a gigabyte. */
export function acceptCsv(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  // Do not parse: the handler streams the body to a file.
  scope.addContentTypeParser('text/csv', (request, _body, done) =>
    done((request.headers['content-encoding'] ?? 'identity') === 'identity' ? null : refused),
  );
  scope.addContentTypeParser('*', (_request, _body, done) => done(refused));
}

/**
 * Streams the body to a file in this folder, so that an arriving body takes no memory. @returns a reader of the file
 *
 * @throws too_large past 10 MiB, invalid if empty, unreadable if cut off, unavailable if the disk fails
 */
export async function receiveCsv(
  { headers, raw }: FastifyRequest,
  folder: string,
): Promise<{ read(): Promise<Buffer> }> {
  // Refuse by Content-Length, before the body arrives.
  if (Number(headers['content-length']) > maxBytes) throw tooLarge();
  if (raw.readableEnded) throw isEmpty();
  const path = join(folder, 'sent');
  const writing = createWriteStream(path);
  try {
    // `raw` is not part of the pipeline: an error would destroy the connection before the client gets the response.
    const body = raw.pipe(atMost(maxBytes));
    raw.once('error', (error) => body.destroy(error));
    await pipeline(body, writing);
  } catch (error) {
    if (error instanceof AppError) throw error;
    // An error of the disk, not of the client.
    if (error instanceof Error && 'syscall' in error && !raw.readableAborted) throw unavailable(5);
    throw new AppError('unreadable', 'The request could not be read: its body did not come whole');
  }
  if (writing.bytesWritten === 0) throw isEmpty();
  return { read: () => readFile(path) };
}

/** Passes up to this many bytes through, then fails. */
function atMost(bytes: number): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      done(passed > bytes ? tooLarge() : null, chunk);
    },
  });
}
