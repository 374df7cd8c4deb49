import { createHmac, timingSafeEqual } from 'node:crypto';

/** How far the clock of whoever signs may be from ours, and how long a signature can be replayed. */
export const signatureSeconds = 300;

/** The headers of callbacks that are signed with a shared secret. */
export const timestampHeader = 'x-waybill-timestamp';
export const signatureHeader = 'x-waybill-signature';

function isSame(given: string, expected: Buffer, encoding: 'hex' | 'base64'): boolean {
  const actual = Buffer.from(given, encoding);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** The signature of a callback: `sha256=` and the HMAC-SHA256 of `<timestamp>.<body>` in hexadecimal. @param timestamp in Unix seconds */
export const signatureOf = (secret: string, timestamp: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;

/** Whether a callback was signed with the secret, not longer ago than a signature holds. */
export function isSigned(
  secret: string,
  { timestamp, signature, body }: { timestamp: string; signature: string; body: string },
  now: Date,
): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > signatureSeconds) return false;
  const [scheme, hex = ''] = signature.split('=');
  const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest();
  return scheme === 'sha256' && isSame(hex, expected, 'hex');
}

/**
 * Whether Twilio has signed a form: HMAC-SHA1 over the address that it called and the fields, sorted by name. It has no time stamp, so what
 * follows must be idempotent.
 */
export function isSignedByTwilio(secret: string, url: string, form: URLSearchParams, signature: string): boolean {
  const names = [...new Set(form.keys())].toSorted();
  const fields = names.map((name) =>
    [...new Set(form.getAll(name))]
      .toSorted()
      .map((value) => name + value)
      .join(''),
  );
  const expected = createHmac('sha1', secret)
    .update(url + fields.join(''))
    .digest();
  return isSame(signature, expected, 'base64');
}
