import { createHmac } from 'node:crypto';
import type { Ctx } from '../ctx.ts';
import type { PackageRow } from './row.ts';

type Signer = Pick<Ctx, 'urlKey'>;
type Linked = Pick<PackageRow, 'id' | 'link_version'>;

const hmac = ({ urlKey }: Signer, claims: unknown[]): Buffer =>
  createHmac('sha256', urlKey).update(JSON.stringify(claims)).digest();

/**
 * The PIN of a package: 4 digits for its recipient. Not stored: whoever reads the database alone has no PINs. A new link has a new PIN, as
 * whoever had the old link has seen the old one.
 */
export const pinOf = (signer: Signer, { id, link_version: version }: Linked): string =>
  String(hmac(signer, ['recipient pin', id, version]).readUIntBE(0, 6) % 10_000).padStart(4, '0');

/** A wrong PIN as it is stored: at a door it may be the right one of another package. */
export const wrongPinHash = (signer: Signer, { id }: Pick<Linked, 'id'>, pin: string): string =>
  hmac(signer, ['wrong pin', id, pin]).subarray(0, 12).toString('base64url');
