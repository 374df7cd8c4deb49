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
  /** In bytes. A stream of any other length is not stored. */
  size: number;
  /** SHA-256 in base64, if the sender knows it. */
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
 * S3-compatible store. Writes are atomic: a file appears whole or not at all, also after a crash. Every call has a time-out.
 */
export interface Storage {
  kind: 'local' | 's3';
  put(path: string, body: Readable | Uint8Array, file: FileToPut): Promise<void>;
  /** The file, or null. The caller must consume or destroy the stream. */
  get(path: string): Promise<StoredFile | null>;
  /** Deletes the file. Succeeds if there is none. */
  delete(path: string): Promise<void>;
  /** All files below the prefix (a folder with its slash, or '' for all), unordered. */
  list(prefix: string): AsyncIterable<ListedFile>;
  /** A presigned URL to which a browser uploads this one file directly; null if the store has no such URLs. */
  signUpload(path: string, upload: UploadToSign): Promise<SignedUpload | null>;
  /** Writes a probe file. @throws if the local disk takes none. Does nothing for a bucket: a write costs money, and it is never full. */
  tryWriting(): Promise<void>;
  close(): void;
}
