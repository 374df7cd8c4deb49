import { ApiError } from '@waybill/contract';
import type { ImageType } from '@waybill/contract';
import { api } from './api.ts';

const uploadTimeoutMs = 120_000;

/** An upload that failed; the message is a sentence for the user. */
export class UploadError extends Error {
  /** The server has no store for files. */
  readonly notConfigured: boolean;
  constructor(message: string, notConfigured = false) {
    super(message);
    this.notConfigured = notConfigured;
  }
}

/** Files that are on the server already: after a failure only the others are sent again. */
const uploaded = new WeakMap<File, string>();

/**
 * Sends images to the store one after the other, in order; the first failure ends it.
 * @returns what stands for each in other calls
 * @throws UploadError
 */
export async function uploadImages(files: readonly File[]): Promise<string[]> {
  const sent: string[] = [];
  for (const file of files) {
    const image = uploaded.get(file) ?? (await uploadImage(file, files.length === 1));
    uploaded.set(file, image);
    sent.push(image);
  }
  return sent;
}

async function uploadImage(file: File, alone: boolean): Promise<string> {
  const upload = await api.images
    .announce({ body: { name: file.name.slice(-255), type: file.type as ImageType, size: file.size } })
    .catch((error: unknown) => {
      const notConfigured = error instanceof ApiError && error.code === 'storage_not_configured';
      throw new UploadError(`Failed to upload images to S3: ${reasonOf(error)}`, notConfigured);
    });
  try {
    const { url, method, headers } = upload;
    const response = await fetch(url, { method, headers, body: file, signal: AbortSignal.timeout(uploadTimeoutMs) });
    if (!response.ok) throw new Error(await messageOf(response));
  } catch (error) {
    throw new UploadError(`Failed to upload ${alone ? 'image to S3' : file.name}: ${reasonOf(error)}`);
  }
  return upload.image;
}

function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'it took longer than two minutes';
  // What fetch throws when there is no connection.
  if (error instanceof TypeError) return 'the storage could not be reached';
  return (error instanceof Error && error.message) || 'an error occurred';
}

/** Our own store answers as the API does, others with a page of their own. */
async function messageOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const told = typeof body === 'object' && body !== null && 'message' in body ? body.message : null;
  return typeof told === 'string' ? told : `API Error: ${response.status}`;
}
