import { detachImages } from '../images/service.ts';
import { packageUpdate } from '../packages/store.ts';
import { storeViews } from '../packages/stored-views.ts';
import type { Tx } from '../platform/database/db.ts';

/** Replaces the name of a recipient: lists and the search need one. */
const placeholderName = 'Removed';

/**
 * Removes the recipients of packages, their addresses and the proofs of delivery. The packages stay in lists and statistics, and the chain
 * of proofs keeps its hashes.
 *
 * @param where a condition on packages, with `value` as its $1
 * @returns how many
 */
export async function eraseRecipients(tx: Tx, where: string, value: unknown): Promise<number> {
  const due = await tx.query<{ id: string; hasImages: boolean }>(
    packageUpdate({
      where,
      set: {
        recipient_removed: 'true',
        version: 'version + 1',
        recipient_name: '$2',
        recipient_contact: 'null',
        recipient_email: 'null',
        recipient_phone: 'null',
        recipient_changes: 'null',
        recipient_comment: 'null',
        address_street: 'null',
        address_postal_code: 'null',
        address_city: 'null',
        address_country: 'null',
        received_by: 'null',
        instructions: 'null',
        handling_safe_place: 'null',
      },
      returning: `id, exists (select from images where attached_to = 'delivery:' || packages.id) as "hasImages"`,
    }),
    [value, placeholderName],
  );
  const ids = due.map(({ id }) => id);
  await tx.query('update proofs set note = null, photo = null, signature = null where package_id = any($1)', [ids]);
  // The hashes of texts in the chain of proofs cannot be guessed without it.
  await tx.query('update proof_links set salt = null where package_id = any($1)', [ids]);
  await tx.query('update delivery_attempts set photo = null where package_id = any($1) and photo is not null', [ids]);
  // What was sent to an address, and where.
  await tx.query(
    "update messages set address = null, content = null, error = null, parameters = '{}' where package_id = any($1) and audience = 'recipient'",
    [ids],
  );
  // The timeline repeats the note of the proof. The event itself stays.
  await tx.query(
    "update package_events set note = null where package_id = any($1) and type in ('delivery.completed', 'package.collected', 'package.returned', 'package.changed-by-recipient') and note is not null",
    [ids],
  );
  // What the recipient wrote to the sender, and the address for the answer; a proof that is void.
  await tx.query(
    "update package_events set note = null, changes = null where package_id = any($1) and type in ('package.messaged', 'delivery.reopened')",
    [ids],
  );
  // Keep which fields were changed, without the values.
  await tx.query(
    `update package_events set changes = (
       select jsonb_object_agg(key, case when key = any($2) then '{"from": null, "to": null}'::jsonb else value end)
       from jsonb_each(changes))
     where package_id = any($1) and type = 'package.updated' and changes ?| $2`,
    [
      ids,
      ['recipientName', 'recipientContact', 'recipientEmail', 'recipientPhone', 'address', 'handling', 'instructions'],
    ],
  );
  // Redact stored replies too, but keep their idempotency keys: without them a repeated request would create a second package.
  await tx.query(
    `update idempotency_keys set reply = jsonb_set(reply::jsonb || $2, '{handling,safePlace}', 'null', false)::text
     where subject_id = any($1)`,
    [
      ids,
      JSON.stringify({
        recipientName: placeholderName,
        recipientContact: null,
        recipientEmail: null,
        recipientPhone: null,
        recipientAddress: null,
        address: null,
        receivedBy: null,
        instructions: null,
        recipientChanges: [],
        recipientRating: null,
      }),
    ],
  );
  await storeViews(tx, ids);
  for (const { id, hasImages } of due) if (hasImages) await detachImages(tx, `delivery:${id}`);
  return due.length;
}
