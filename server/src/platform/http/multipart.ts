import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import fastifyMultipart from '@fastify/multipart';
import type { FileInput } from '@waybill/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, invalid, unavailable } from '../errors.ts';

/** A file uploaded as multipart/form-data. */
export interface UploadedFile {
  name: string;
  /** The media type that the client declares: not verified. */
  type: string;
  /** Of a temporary file, which is deleted after the response. */
  path: string;
  /** In bytes. */
  size: number;
}

/** Allowance for boundaries and part headers around the file. */
const envelopeBytes = 64 * 1024;

/** Accepts multipart/form-data in the routes of this scope; all other routes answer 415. */
export const acceptMultipart = async (app: FastifyInstance): Promise<void> => {
  await app.register(fastifyMultipart);
};

/**
 * Streams the only file of a request into a folder.
 *
 * @throws too_large past the limit, invalid if the file is missing or not alone, unavailable if the disk fails
 */
export async function readFile(request: FastifyRequest, input: FileInput, folder: string): Promise<UploadedFile> {
  if (!request.isMultipart()) {
    throw new AppError('unsupported_media_type', 'The request must be multipart/form-data');
  }
  const tooLarge = new AppError('too_large', input.tooLarge, { fields: { [input.field]: input.tooLarge } });
  // Refuse by Content-Length, before the body arrives.
  if (Number(request.headers['content-length']) > input.maxBytes + envelopeBytes) throw tooLarge;
  let file: UploadedFile | null = null;
  try {
    const limits = { files: 1, fields: 0, parts: 1, headerPairs: 20, fileSize: input.maxBytes };
    for await (const part of request.parts({ limits })) {
      if (part.type !== 'file' || part.fieldname !== input.field) throw onlyOneFile(input);
      const path = join(folder, 'sent');
      const writing = createWriteStream(path);
      await pipeline(part.file, writing);
      file = { name: part.filename ?? '', type: part.mimetype, path, size: writing.bytesWritten };
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    // An error of the disk, not of the client.
    if (error instanceof Error && 'syscall' in error) throw unavailable(5);
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw tooLarge;
    if (typeof code === 'string' && /^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(code)) throw onlyOneFile(input);
    throw new AppError('unreadable', 'The request could not be read: its body must be multipart/form-data');
  }
  if (!file || file.size === 0) throw invalid({ [input.field]: input.missing });
  return file;
}

const onlyOneFile = ({ field }: FileInput) =>
  invalid({ [field]: `Send one file, in the field '${field}', and nothing else` });
