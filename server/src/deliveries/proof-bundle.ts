import { buffer } from 'node:stream/consumers';
import type { Texts } from '@waybill/contract/texts/en';
import { zipSync } from 'fflate';
import type { Ctx } from '../ctx.ts';
import { typeOfFile } from '../images/names.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { unavailable } from '../platform/errors.ts';
import type { WholeFile } from '../platform/http/http.ts';
import { chainProofs, findFollowing, readProofLink, sha256, type ProofLink } from './proof-chain.ts';
import type { ProofBundle } from './proof-check.ts';
import { renderProofPage, type ProofImage } from './proof-page.ts';
import { findProof } from './queries.ts';
import { readReceipt } from './receipt.ts';

/**
 * Makes the bundle of a package's proof: a ZIP archive with its images, `proof.json`, and `proof.html`, which checks them.
 * @throws not_delivered before the delivery; unavailable while an image cannot be read
 */
export async function makeProofBundle(ctx: Ctx, actor: Actor, packageId: string, texts: Texts): Promise<WholeFile> {
  const receipt = await readReceipt(ctx, actor, packageId);
  const [proof, link, { organisationName }] = await Promise.all([
    findProof(ctx.db, receipt.packageId),
    readProofLink(ctx.db, receipt.packageId),
    ctx.settings.find(),
  ]);
  const images = {
    photo: proof?.photo ? await readImage(ctx, proof.photo) : null,
    signature: proof?.signature ? await readImage(ctx, proof.signature) : null,
  };
  // Also the latest ones, whose job has not run yet.
  await chainProofs(ctx.db);
  const following = link ? await findFollowing(ctx.db, link.number) : [];
  const bundle: ProofBundle = {
    link,
    following,
    head: link && headOf(link, following),
    receivedBy: receipt.proof.receivedBy,
    note: receipt.proof.note,
    photo: images.photo?.bytes.toString('base64') ?? null,
    signature: images.signature?.bytes.toString('base64') ?? null,
  };
  const page = renderProofPage({ bundle, receipt, organisation: organisationName, images, texts });
  const data = { ...bundle, photo: nameOf('photo', images.photo), signature: nameOf('signature', images.signature) };
  const files: Record<string, Uint8Array> = {
    'proof.html': Buffer.from(page),
    'proof.json': Buffer.from(`${JSON.stringify(data, null, 2)}\n`),
  };
  for (const field of ['photo', 'signature'] as const) {
    const [name, image] = [data[field], images[field]];
    if (name && image) files[name] = image.bytes;
  }
  return { name: `proof-${receipt.trackingId}.zip`, bytes: zipSync(files, { mtime: ctx.now() }) };
}

function headOf({ number, hash }: ProofLink, following: string[]): { number: number; hash: string } {
  let last = Buffer.from(hash, 'hex');
  for (const next of following) last = sha256(last, Buffer.from(next, 'hex'));
  return { number: number + following.length, hash: last.toString('hex') };
}

const nameOf = (field: string, image: ProofImage | null): string | null =>
  image && `${field}.${image.type.replace('image/', '').replace('jpeg', 'jpg')}`;

async function readImage({ storage, log }: Ctx, path: string): Promise<ProofImage> {
  const file = await storage.get(path).catch((error: unknown) => {
    log.error({ reason: String(error) }, 'the image store failed to read a proof');
    throw unavailable(5);
  });
  if (!file) throw unavailable(5);
  return { type: typeOfFile(path), bytes: await buffer(file.stream) };
}
