import type { Readable } from 'node:stream';

export interface StoredFile {
  stream: Readable;
  size: number;
}

export interface ListedFile {
  path: string;
  size: number;
  modifiedAt: Date;
}

export interface FileToPut {
  type: string;
  /** In bytes; a stream that ends before or goes on after it is not stored. */
  size: number;
  /** SHA-256 of the bytes in base64, where the sender knows it. */
  checksum?: string | undefined;
}

export interface UploadToSign extends FileToPut {
  expiresInSeconds: number;
}

export interface SignedUpload {
  url: string;
  headers: Record<string, string>;
}

/**
 * Files by path (`packages/1732….jpg`: parts of letters, digits, `.`, `-`, `_`, between slashes), on disk or in an
 * S3-compatible store. Every call is bounded in time. A file appears whole or not at all, also after a crash.
 */
export interface Storage {
  kind: 'local' | 's3';
  put(path: string, body: Readable | Uint8Array, file: FileToPut): Promise<void>;
  /** The file, or null. Whoever takes the stream reads or destroys it. */
  get(path: string): Promise<StoredFile | null>;
  /** Also where there is none. */
  delete(path: string): Promise<void>;
  /** Every file below the prefix (a folder, with its slash, or '' for all), in no order. */
  list(prefix: string): AsyncIterable<ListedFile>;
  /** An address that takes this one file straight from a browser, or null where the store has none to offer. */
  signUpload(path: string, upload: UploadToSign): Promise<SignedUpload | null>;
  /** @throws when a disk of our own takes no files. A bucket is not asked: each try would cost money, and it is never full. */
  tryWriting(): Promise<void>;
  close(): void;
}
