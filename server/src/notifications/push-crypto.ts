import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';

// Encryption of pushed messages (RFC 8291, RFC 8188) and the sender's signature (VAPID, RFC 8292). The usual library brings 15 packages,
// and its own requests would go around the check of addresses.

const curve = 'prime256v1';
/** Push services accept signatures for at most a day. */
const signedForSeconds = 12 * 3600;

/** The keys by which push services know this installation. Subscriptions are made for them, so they never change. */
export interface PushKeys {
  privateKey: KeyObject;
  /** The point in uncompressed form, 65 bytes, in base64url: browsers subscribe with it. */
  publicKey: string;
}

/** @returns a new private key, as it is stored */
export const makePushSecret = (): Buffer =>
  generateKeyPairSync('ec', { namedCurve: curve }).privateKey.export({ format: 'der', type: 'pkcs8' });

export function readPushKeys(secret: Buffer): PushKeys {
  const privateKey = createPrivateKey({ key: secret, format: 'der', type: 'pkcs8' });
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return { privateKey, publicKey: point.toString('base64url') };
}

/**
 * The Authorization header for a push service.
 *
 * @param contact a mailto: or https: address under which the service reaches the operator
 */
export function signForService(
  { privateKey, publicKey }: PushKeys,
  endpoint: string,
  contact: string,
  now: Date,
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now.getTime() / 1000) + signedForSeconds,
    sub: contact,
  };
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`;
}

export interface DeviceKeys {
  /** The browser's point, 65 bytes. */
  publicKey: Buffer;
  /** 16 bytes. */
  secret: Buffer;
}

/**
 * Encrypts a message so that only the browser can read it: content coding `aes128gcm`, one record.
 *
 * @param made for the test with the RFC's example; else random
 * @throws an error if the browser's key is no point of the curve
 */
export function encryptForDevice(
  text: string | Buffer,
  { publicKey, secret }: DeviceKeys,
  made: { privateKey?: Buffer; salt?: Buffer } = {},
): Buffer {
  const own = createECDH(curve);
  if (made.privateKey) own.setPrivateKey(made.privateKey);
  else own.generateKeys();
  const ownPublic = own.getPublicKey();
  const salt = made.salt ?? randomBytes(16);
  const derive = (key: Buffer, salt_: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, salt_, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, ownPublic]);
  const key = derive(own.computeSecret(publicKey), secret, info, 32);
  const cipher = createCipheriv(
    'aes-128-gcm',
    derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(key, salt, 'Content-Encoding: nonce\0', 12),
  );
  // The byte 2 ends the last record.
  const encrypted = Buffer.concat([
    cipher.update(text),
    cipher.update(Buffer.of(2)),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  const recordSize = Buffer.alloc(4);
  recordSize.writeUInt32BE(4096);
  return Buffer.concat([salt, recordSize, Buffer.of(ownPublic.length), ownPublic, encrypted]);
}
