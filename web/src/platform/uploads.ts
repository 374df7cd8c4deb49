import { ApiError } from '@waybill/contract';
import type { ImageType } from '@waybill/contract';
import { api } from './api.ts';
import { scaleDown } from './resize-image.ts';
import { CancelledError, UploadError } from './upload-errors.ts';

const uploadTimeoutMs = 120_000;

/** Files that are uploaded already, with their image reference: a retry uploads only the others. */
const uploaded = new WeakMap<File, string>();

/** The number of files that are still to be uploaded. */
export const countToUpload = (files: readonly File[]): number => files.filter((file) => !uploaded.has(file)).length;

/**
 * Uploads images one after the other; the first failure stops it.
 * @returns the image references for other calls, in the order of `files`
 * @throws UploadError
 * @throws CancelledError if `signal` was aborted
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
/** The change of a form's picture: a new file, null to remove it, or `unchanged`. */
export type PictureChange = File | null | typeof unchanged;

/** @returns the value for the request body: an image reference, null to remove the picture, undefined to leave it unchanged */
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
    const signalOrTimeout = AbortSignal.any([signal, AbortSignal.timeout(uploadTimeoutMs)]);
    const response = await fetch(url, { method, headers, body: file, signal: signalOrTimeout });
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
  // fetch throws a TypeError when there is no connection.
  if (error instanceof TypeError) return 'the storage could not be reached';
  return (error instanceof Error && error.message) || 'an error occurred';
}

/** The error message of the storage: the server's own responds with the API's JSON errors, S3 in another format. */
async function messageOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : null;
  return typeof message === 'string' ? message : `API Error: ${response.status}`;
}
