import http from 'node:http';
import https from 'node:https';
import { checkPublicUrl, publicLookup, type Resolve } from './public-addresses.ts';

/** An exchange ends within this time, whatever the other side does. */
const limitMs = 15_000;
const usualReplyBytes = 64 * 1024;

export interface OutgoingRequest {
  url: string;
  headers?: Record<string, string>;
  /** Sent by POST; without it the method is GET. */
  body?: string | Buffer;
}

export interface OutgoingReply {
  status: number;
  text: string;
}

export interface HttpClient {
  /** Redirects are not followed: their reply is returned. @throws if there is no complete reply of at most 64 KB within 15 s, unless options say else */
  send(request: OutgoingRequest, signal?: AbortSignal): Promise<OutgoingReply>;
  close(): void;
}

export interface ClientOptions {
  /**
   * For addresses that people enter: public ones only, see `checkPublicUrl` and `publicLookup`. Addresses from the environment are the
   * operator's, and may lead anywhere.
   */
  publicOnly: boolean;
  timeoutMs?: number;
  maxReplyBytes?: number;
  /** How names are resolved, for tests. */
  resolve?: Resolve;
}

/** The only way in which the server calls others by HTTP, object storage apart. */
export function openHttpClient({
  publicOnly,
  timeoutMs = limitMs,
  maxReplyBytes = usualReplyBytes,
  resolve,
}: ClientOptions): HttpClient {
  // A kept connection is one that was checked. Each of them carries one request at a time.
  const options = { keepAlive: true, maxSockets: 20, maxTotalSockets: 200, timeout: 30_000 };
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };
  return {
    send({ url, headers = {}, body }, signal) {
      const parsed = new URL(url);
      if (publicOnly) checkPublicUrl(parsed);
      const isPlain = parsed.protocol === 'http:';
      return new Promise((fulfil, reject) => {
        const request = (isPlain ? http : https).request(
          parsed,
          {
            method: body === undefined ? 'GET' : 'POST',
            agent: agents[isPlain ? 'http:' : 'https:'],
            signal,
            headers: { ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) },
            ...(publicOnly && { lookup: publicLookup(resolve) }),
          },
          (reply) => {
            const chunks: Buffer[] = [];
            let bytes = 0;
            reply.on('data', (chunk: Buffer) => {
              bytes += chunk.length;
              if (bytes > maxReplyBytes)
                request.destroy(new Error(`the reply is longer than ${maxReplyBytes / 1024} KB`));
              else chunks.push(chunk);
            });
            reply.on('error', reject);
            reply.on('end', () => {
              if (reply.complete)
                fulfil({ status: reply.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
            });
            // After its end this changes nothing.
            reply.on('close', () => reject(new Error('the reply broke off')));
          },
        );
        const timer = setTimeout(() => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
        request.on('close', () => clearTimeout(timer));
        request.on('error', reject);
        request.end(body);
      });
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
