import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify, type ECDH } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@waybill/contract';

export interface Pushed {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A browser that is subscribed. */
export interface PushBrowser {
  path: string;
  ecdh: ECDH;
  secret: Buffer;
}

export interface PushService {
  url: string;
  /** Everything that was offered with a valid signature, in the order of arrival. */
  pushed: Pushed[];
  /** By path: the status that it answers instead of 201, or that it cuts the connection. */
  answers: Map<string, number | 'reset'>;
  /** Subscribes a new browser of a user. */
  subscribe(api: Client): Promise<PushBrowser>;
  /** What a browser was shown. */
  read(browser: PushBrowser): unknown[];
  close(): void;
}

/** A real HTTP server on a free port of this machine that refuses what is not signed as push services require it (RFC 8292). */
export async function openPushService(): Promise<PushService> {
  const answers: PushService['answers'] = new Map();
  const pushed: Pushed[] = [];
  let browsers = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      if (!isSigned(request.headers.authorization ?? '', url)) return void response.writeHead(403).end();
      pushed.push({ path, headers: request.headers, body: Buffer.concat(chunks) });
      const answer = answers.get(path) ?? 201;
      if (answer === 'reset') request.socket.destroy();
      else response.writeHead(answer, { location: '/elsewhere' }).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    pushed,
    answers,
    async subscribe(api) {
      const ecdh = createECDH('prime256v1');
      const browser = { path: `/send/${++browsers}`, ecdh, secret: randomBytes(16) };
      const keys = { p256dh: ecdh.generateKeys('base64url'), auth: browser.secret.toString('base64url') };
      await api.notifications.subscribe({ body: { endpoint: url + browser.path, keys } });
      return browser;
    },
    read: (browser) =>
      pushed.filter(({ path }) => path === browser.path).map(({ body }) => decryptPushed(browser, body)),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Whether the header names this service, is not older than its signature allows, and is signed with the key that it names. */
function isSigned(authorization: string, url: string): boolean {
  const [, token = '', key = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  if (point.length !== 65) return false;
  const { aud, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud?: unknown; exp?: unknown };
  if (aud !== url || typeof exp !== 'number') return false;
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  return verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    {
      key: createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' }),
      dsaEncoding: 'ieee-p1363',
    },
    Buffer.from(signature, 'base64url'),
  );
}

/** As a browser decrypts it (RFC 8291). */
export function decryptPushed({ ecdh, secret }: PushBrowser, body: Buffer): unknown {
  const [salt, sender, encrypted] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
  const derive = (key: Buffer, with_: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, with_, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const key = derive(ecdh.computeSecret(sender), secret, info, 32);
  const decipher = createDecipheriv(
    'aes-128-gcm',
    derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(key, salt, 'Content-Encoding: nonce\0', 12),
  );
  decipher.setAuthTag(encrypted.subarray(-16));
  const padded = Buffer.concat([decipher.update(encrypted.subarray(0, -16)), decipher.final()]);
  return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8'));
}
