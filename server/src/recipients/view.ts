import { isFinal, type RecipientView } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { findProof } from '../deliveries/receipt.ts';
import { listDepots } from '../depots/service.ts';
import { privateImageUrl } from '../images/service.ts';
import { pinOf } from '../packages/pin.ts';
import {
  addressLineOf,
  asRecipientRating,
  asWindow,
  oneLine,
  pinStateOf,
  recipientChangesOf,
  type PackageRow,
} from '../packages/row.ts';
import { changeableKinds, daysFor, refusalOf } from './changes.ts';

/** Composes what the recipient's link opens. */
export async function asRecipientView(ctx: Ctx, pkg: PackageRow): Promise<RecipientView> {
  const [{ timeZone }, refusal, depots, proof] = await Promise.all([
    ctx.settings.find(),
    refusalOf(ctx, ctx.db, pkg),
    listDepots(ctx),
    pkg.completed_at ? findProof(ctx.db, pkg.id) : null,
  ]);
  return {
    trackingId: pkg.tracking_id,
    recipientName: pkg.recipient_name,
    address: addressLineOf(pkg),
    instructions: pkg.instructions,
    safePlace: pkg.handling_safe_place,
    window: asWindow(pkg),
    pin: pinStateOf(pkg) === 'waived' || !pkg.handling_pin || isFinal(pkg.status) ? null : pinOf(ctx, pkg),
    age: isFinal(pkg.status) ? null : pkg.handling_age,
    changes: recipientChangesOf(pkg),
    rating: asRecipientRating(pkg),
    mayChange: changeableKinds(pkg, refusal).filter((kind) => kind !== 'collect' || depots.length > 0),
    refusal,
    cutoffStops: ctx.config.CHANGE_CUTOFF_STOPS,
    ...daysFor(ctx, pkg, timeZone),
    depots: depots.map(({ id, name, address }) => ({ id, name, address: address && oneLine(address) })),
    proof:
      pkg.completed_at && proof
        ? {
            at: pkg.completed_at.toISOString(),
            receivedBy: pkg.received_by,
            note: proof.note,
            photo: proof.photo && privateImageUrl(ctx, proof.photo),
            signature: proof.signature && privateImageUrl(ctx, proof.signature),
          }
        : null,
  };
}
