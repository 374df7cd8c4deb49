import { join } from 'node:path';
import { messages } from '@waybill/contract';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { AppError } from '../errors.ts';
import { openLocalStorage } from './local.ts';
import { openS3Storage, s3Settings } from './s3.ts';
import type { Storage } from './storage.ts';

/** The folder of the local storage. */
export const storageFolder = (config: Pick<Config, 'DATA_DIR'>): string => join(config.DATA_DIR, 'storage');

/** Opens the configured storage. Incomplete S3 settings do not stop the start: they are logged, and every call throws storage_not_configured. */
export function openStorage(config: Config, log: Logger): Storage {
  const s3 = s3Settings(config);
  if (!s3) return openLocalStorage(storageFolder(config));
  if (!('missing' in s3)) return openS3Storage(s3);
  log.error(`images cannot be stored: ${s3.missing.join(', ')} must be set, or no S3_* setting at all`);
  return notConfigured;
}

const refuse = () => new AppError('storage_not_configured', messages.storageNotConfigured, { retryAfterSeconds: 60 });

const notConfigured: Storage = {
  kind: 's3',
  put: () => Promise.reject(refuse()),
  get: () => Promise.reject(refuse()),
  delete: () => Promise.reject(refuse()),
  list: () => {
    throw refuse();
  },
  signUpload: () => Promise.reject(refuse()),
  // Not a health problem: everything but images is served.
  tryWriting: () => Promise.resolve(),
  close: () => {},
};
