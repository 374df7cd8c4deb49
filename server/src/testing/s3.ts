import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

export interface TestS3 {
  /** The product's settings for this storage. */
  settings: Record<string, string>;
  close(): Promise<void>;
}

const bucket = 'waybill-images';

/**
 * Starts an S3 server on a free port, with an empty bucket. It verifies signed headers and presigned URLs including their expiry. It
 * accepts unsigned requests and does not verify checksums. It computes the signature of a listing without the slash that the client
 * sends, so mismatches are allowed for listings.
 */
export async function startTestS3(): Promise<TestS3> {
  const directory = await mkdtemp(join(tmpdir(), 'waybill-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  });
  server.middleware.unshift((ctx, next) => {
    if (ctx.path === `/${bucket}/`) ctx.app = Object.create(server, { allowMismatchedSignatures: { value: true } });
    return next();
  });
  const { port } = await server.run();
  return {
    settings: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    async close() {
      server.httpServer.closeAllConnections();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
