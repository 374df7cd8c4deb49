import type { Receipt } from '@waybill/contract';
import { auditContactViews } from '../audit/contact-views.ts';
import type { Ctx } from '../ctx.ts';
import { privateImageUrl } from '../images/service.ts';
import { addressLineOf, handlingOf, locationOf, type PackageRow } from '../packages/row.ts';
import { findAccessiblePackage } from '../packages/service.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { readProofLink } from './proof-chain.ts';
import { findProof } from './queries.ts';

export { findProof };

/** Null if no time was promised. Deliveries from before due times were recorded count by the eta's day in UTC, as they did then. */
function isOnTime({ eta, window_to: windowTo, completed_at: at }: PackageRow, dueAt: Date | null): boolean | null {
  if (!at || (eta === null && windowTo === null)) return null;
  if (dueAt) return at <= dueAt;
  return eta === null ? null : at.toISOString().slice(0, 10) <= eta;
}

/** Reads the data of a printed receipt. @throws not_delivered before the delivery */
export async function readReceipt(ctx: Ctx, actor: Actor, packageId: string): Promise<Receipt> {
  const pkg = await findAccessiblePackage(ctx, actor, packageId);
  // Also of a package that its owner had back.
  const endedAt = pkg.completed_at ?? pkg.returned_at;
  const proof = endedAt && (await findProof(ctx.db, pkg.id));
  if (!endedAt || !proof)
    throw new AppError('not_delivered', `This package is ${pkg.status}: its receipt comes with the delivery`);
  await auditContactViews(ctx.db, actor, [pkg]);
  const link = await readProofLink(ctx.db, pkg.id);
  const completedAt = endedAt.toISOString();
  return {
    number: pkg.tracking_id.replace('PKG-', 'R-'),
    packageId: pkg.id,
    trackingId: pkg.tracking_id,
    packageName: pkg.name,
    description: pkg.description,
    category: pkg.category,
    weight: pkg.weight,
    dimensions: pkg.dimensions_cm,
    handling: handlingOf(pkg),
    sender: proof.sender,
    driver: proof.driver,
    recipientName: pkg.recipient_name,
    recipientContact: pkg.recipient_contact,
    recipientAddress: addressLineOf(pkg),
    createdAt: pkg.created_at.toISOString(),
    startTime: pkg.started_at?.toISOString() ?? null,
    completedAt,
    eta: pkg.eta,
    onTime: isOnTime(pkg, proof.due_at),
    attempts: Number(proof.failures) + (pkg.returned_at ? 0 : 1),
    proof: {
      receivedBy: pkg.received_by,
      note: proof.note,
      photo: proof.photo && privateImageUrl(ctx, proof.photo),
      signature: proof.signature && privateImageUrl(ctx, proof.signature),
      pin: proof.pin,
      ageChecked: proof.age_checked,
      link: link && { number: link.number, hash: link.hash },
      place: pkg.return_to ? addressLineOf(pkg.return_to) : locationOf(pkg),
    },
  };
}
