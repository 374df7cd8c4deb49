import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

export interface TestS3 {
  /** The settings that lead to it. */
  settings: Record<string, string>;
  close(): Promise<void>;
}

const bucket = 'waybill-images';

/**
 * A server that speaks S3 on a free port, with an empty bucket. It checks signatures of headers and of addresses, expiry included;
 * it lets unsigned requests through, does not compare checksums with the content, and reckons the signature of a listing without
 * the slash that the client sends, so that one is not checked.
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
