import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Ctx } from '../ctx.ts';
import type { PackageRow } from './row.ts';

type Signer = Pick<Ctx, 'urlKey'>;
type Linked = Pick<PackageRow, 'id' | 'tracking_id' | 'link_version'>;

const hmac = ({ urlKey }: Signer, claims: unknown[]): string =>
  createHmac('sha256', urlKey).update(JSON.stringify(claims)).digest('base64url');

/** The secret in a recipient's link: 24 characters, 144 bits. Not stored: whoever reads the database alone has no links. */
const keyOf = (signer: Signer, { id, link_version: version }: Linked): string =>
  hmac(signer, ['recipient link', id, version]).slice(0, 24);

/** The recipient's link. @param origin the public origin of the product, without a slash at its end */
export const recipientLink = (signer: Signer, origin: string, pkg: Linked): string =>
  `${origin}/track/${pkg.tracking_id}#${keyOf(signer, pkg)}`;

export const isKeyOf = (signer: Signer, pkg: Linked, key: string): boolean => equals(key, keyOf(signer, pkg));

/** For how long the token of a recipient is valid, in seconds. */
export const accessSeconds = 1800;

/** A token for one package, until it expires or the link is renewed. */
export function accessToken(signer: Signer & Pick<Ctx, 'now'>, pkg: Linked): string {
  const expires = Math.floor(signer.now().getTime() / 1000) + accessSeconds;
  return `${expires.toString(36)}-${signatureOf(signer, pkg, expires)}`;
}

export function isAccessToken(signer: Signer & Pick<Ctx, 'now'>, pkg: Linked, token: string): boolean {
  const [, written = '', signature = ''] = /^([0-9a-z]{1,10})-(.+)$/.exec(token) ?? [];
  const expires = Number.parseInt(written, 36);
  return equals(signature, signatureOf(signer, pkg, expires)) && expires * 1000 > signer.now().getTime();
}

const signatureOf = (signer: Signer, { id, link_version: version }: Linked, expires: number): string =>
  hmac(signer, ['recipient access', id, version, expires]);

function equals(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
