import { ApiError } from '@waybill/contract';
import type { ImageType } from '@waybill/contract';
import { api } from './api.ts';
import { scaleDown } from './resize-image.ts';
import { CancelledError, UploadError } from './upload-errors.ts';

const uploadTimeoutMs = 120_000;

/** Files that are on the server already: after a failure only the others are sent again. */
const uploaded = new WeakMap<File, string>();

/** How many of them are still to be sent. */
export const countToUpload = (files: readonly File[]): number => files.filter((file) => !uploaded.has(file)).length;

/**
 * Sends images to the store one after the other, in order; the first failure ends it.
 * @returns what stands for each in other calls
 * @throws UploadError
 * @throws CancelledError when `signal` has ended it
 */
export async function uploadImages(files: readonly File[], signal: AbortSignal): Promise<string[]> {
  const sent: string[] = [];
  for (const file of files) {
    const image =
      uploaded.get(file) ??
      (await uploadImage(file, files.length === 1, signal).catch((error: unknown) => {
        throw signal.aborted ? new CancelledError() : error;
      }));
    uploaded.set(file, image);
    sent.push(image);
  }
  return sent;
}

export const unchanged = 'unchanged';
/** What a form does with a picture that is saved beside it: another one, or null for none. */
export type PictureChange = File | null | typeof unchanged;

/** @returns what a call takes: undefined leaves it, null takes it away */
export async function uploadPicture(change: PictureChange, signal: AbortSignal): Promise<string | null | undefined> {
  if (change === unchanged) return undefined;
  return change && (await uploadImages([change], signal))[0];
}

async function uploadImage(chosen: File, alone: boolean, signal: AbortSignal): Promise<string> {
  const file = await scaleDown(chosen);
  const upload = await api.images
    .announce({ body: { name: file.name.slice(-255), type: file.type as ImageType, size: file.size }, signal })
    .catch((error: unknown) => {
      throw new UploadError(`Failed to upload images to S3: ${reasonOf(error)}`, {
        notConfigured: error instanceof ApiError && error.code === 'storage_not_configured',
        unreachable: error instanceof ApiError && error.status === 0,
      });
    });
  try {
    const { url, method, headers } = upload;
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(uploadTimeoutMs)]);
    const response = await fetch(url, { method, headers, body: file, signal: inTime });
    if (!response.ok) throw new Error(await messageOf(response));
  } catch (error) {
    throw new UploadError(`Failed to upload ${alone ? 'image to S3' : chosen.name}: ${reasonOf(error)}`, {
      unreachable: error instanceof TypeError,
    });
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
