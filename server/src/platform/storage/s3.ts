import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Config } from '../../config.ts';
import { AppError } from '../errors.ts';
import { guardReads } from './guarded-reads.ts';
import type { Storage } from './storage.ts';
import { checkPath } from './paths.ts';

export interface S3Settings {
  endpoint: string | undefined;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** The S3 settings; null if none is set; the missing ones if only some are set. */
export function s3Settings(config: Config): S3Settings | { missing: string[] } | null {
  const { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_PUBLIC_URL } = config;
  const needed = { S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
  if (![S3_ENDPOINT, S3_PUBLIC_URL, ...Object.values(needed)].some(Boolean)) return null;
  if (!S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) {
    return { missing: Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name])) };
  }
  return {
    endpoint: S3_ENDPOINT,
    region: S3_REGION,
    bucket: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  };
}

/** Path-style URLs: for stores other than AWS, and for buckets with dots, which AWS's wildcard certificate does not cover. */
const usesPathStyle = ({ endpoint, bucket }: S3Settings): boolean =>
  bucket.includes('.') || (endpoint !== undefined && !new URL(endpoint).hostname.endsWith('.amazonaws.com'));

/** The origin of the bucket for browsers, for the Content Security Policy. */
function originOf(settings: S3Settings): string {
  const base = new URL(settings.endpoint ?? `https://s3.${settings.region}.amazonaws.com`);
  if (!usesPathStyle(settings)) base.hostname = `${settings.bucket}.${base.hostname}`;
  return base.origin;
}

/** Origins other than this server to which browsers upload, and from which they load images. */
export function s3Origins(config: Config): string[] {
  const settings = s3Settings(config);
  if (!settings || 'missing' in settings) return [];
  const origins = [originOf(settings), ...(config.S3_PUBLIC_URL ? [new URL(config.S3_PUBLIC_URL).origin] : [])];
  return [...new Set(origins)];
}

const connectTimeoutMs = 3000;
const requestTimeoutMs = 20_000;
/** Reads are shorter: a user waits for them, and may retry. */
const readTimeoutMs = 5000;

export function openS3Storage(settings: S3Settings): Storage {
  const { bucket: Bucket } = settings;
  let opened: ReturnType<typeof open> | null = null;
  // Loading the library takes 250 ms: do it at the first use.
  const s3 = () => (opened ??= open(settings));
  const reads = guardReads(async (path) => {
    const { reader, GetObjectCommand, NoSuchKey } = await s3();
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), readTimeoutMs);
    try {
      const command = new GetObjectCommand({ Bucket, Key: checkPath(path) });
      const { Body, ContentLength } = await reader.send(command, { abortSignal: timeout.signal });
      if (!(Body instanceof Readable)) throw new Error('the store answered without a body');
      return { stream: Body, size: ContentLength ?? 0 };
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  });
  return {
    kind: 's3',
    async put(path, body, { type, size, checksum }) {
      const { client, PutObjectCommand } = await s3();
      // Buffer the stream: a retry needs the bytes again.
      const bytes = body instanceof Readable ? await buffer(body) : body;
      if (bytes.length !== size) throw new AppError('invalid', 'The file is not as long as announced');
      await client.send(
        new PutObjectCommand({
          Bucket,
          Key: checkPath(path),
          Body: bytes,
          ContentType: type,
          ContentLength: size,
          ...(checksum && { ChecksumSHA256: checksum }),
          // An image may be withdrawn later: caches in front of a public bucket must expire it within an hour.
          CacheControl: 'public, max-age=3600',
        }),
      );
      reads.stored(path);
    },
    get: reads.get,
    async delete(path) {
      const { client, DeleteObjectCommand } = await s3();
      await client.send(new DeleteObjectCommand({ Bucket, Key: checkPath(path) }));
    },
    async *list(prefix) {
      const { client, paginateListObjectsV2 } = await s3();
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })) {
        for (const { Key, Size, LastModified } of page.Contents ?? []) {
          if (Key && LastModified) yield { path: Key, size: Size ?? 0, modifiedAt: LastModified };
        }
      }
    },
    async signUpload(path, { type, size, checksum, expiresInSeconds }) {
      const { client, PutObjectCommand } = await s3();
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
      const command = new PutObjectCommand({
        Bucket,
        Key: checkPath(path),
        ContentType: type,
        ContentLength: size,
        ...(checksum && { ChecksumSHA256: checksum }),
      });
      const checksumHeader = 'x-amz-checksum-sha256';
      const url = await getSignedUrl(client, command, {
        expiresIn: expiresInSeconds,
        // Signed headers, so that the store refuses another length, type or content.
        signableHeaders: new Set(['host', 'content-type', 'content-length', checksumHeader]),
        unhoistableHeaders: new Set([checksumHeader]),
      });
      // Without content-length: browsers set it themselves and forbid scripts to.
      return { url, headers: { 'content-type': type, ...(checksum && { [checksumHeader]: checksum }) } };
    },
    tryWriting: () => Promise.resolve(),
    close: () =>
      void opened
        ?.then(({ client, reader }) => {
          client.destroy();
          reader.destroy();
        })
        .catch(() => {}),
  };
}

async function open(settings: S3Settings) {
  const library = await import('@aws-sdk/client-s3');
  const common = {
    region: settings.region,
    ...(settings.endpoint && { endpoint: settings.endpoint }),
    forcePathStyle: usesPathStyle(settings),
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    // Some S3-compatible stores do not support the checksums that the library adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  } as const;
  const withTimeout = (ms: number) => ({
    connectionTimeout: connectTimeoutMs,
    requestTimeout: ms,
    throwOnRequestTimeout: true,
    socketTimeout: ms,
  });
  const client = new library.S3Client({ ...common, maxAttempts: 3, requestHandler: withTimeout(requestTimeoutMs) });
  // Reads are not retried: with a store that does not answer, retries would multiply the requests.
  const reader = new library.S3Client({ ...common, maxAttempts: 1, requestHandler: withTimeout(readTimeoutMs) });
  return { client, reader, ...library };
}
