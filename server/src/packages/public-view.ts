import { publicForDays, type PublicRecipient } from '@waybill/contract';
import type { Tx } from '../platform/database/db.ts';
import { bringsIt } from './row.ts';

/**
 * ISO 8601 with milliseconds, or null. The microsecond makes the text carry a fraction of six digits, so that it can be cut:
 * to_char is slower, and a page of history has many of these.
 */
export const instant = (column: string) =>
  `overlay(left((${column} + interval '1 microsecond')::text, 23) placing 'T' from 11 for 1) || 'Z'`;

/** A column as JSON text; `null` where it is null. */
export const text = (column: string) => `coalesce(to_json(${column})::text, 'null')`;
/** What needs no escaping, in quotes; `null` where it is null. */
const quoted = (expression: string) => `coalesce('"' || ${expression} || '"', 'null')`;

// White space of every script, whatever the database's locale takes for such, and zero-width ones that older rows may have.
const blanks = '\\s\\u00a0\\u1680\\u2000-\\u200b\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const commas = ',;\\u060c\\u3001\\uff0c\\uff1b';

/** The words of somebody's name, as `word`; of 'Berg, Anna' the name behind the comma comes first. */
const wordsOfName = (name: string) => `select array_remove(regexp_split_to_array(
  regexp_replace(${name}, '^([^${commas}]*)[${commas}](.*)$', '\\2 \\1'), '[${blanks}${commas}]+'), '') as word`;

/**
 * How the recipient's name is shown: as it is, as first name and initial, or not at all. A single word is as likely a surname, so its
 * initial is all that is shown.
 */
const recipientColumns: Record<PublicRecipient, string> = {
  full: 'p.recipient_name',
  masked: `(select case when cardinality(word) > 1 then word[1] || ' ' else '' end || left(word[cardinality(word)], 1) || '.'
    from (${wordsOfName('p.recipient_name')}) words)`,
  hidden: 'null::text',
};

/** Who sent it, where they want to be named. */
const sender = `(select u.name from users u where u.id = p.owner_id and u.deleted_at is null)`;

const isOnTheRoad = `p.status in ('in transit', 'out for delivery')`;

/** Packages, `p`, each with who brings it now, `carrier`: joined, as two fields ask, and a subquery in each would look twice. */
export const publicSource = `packages p left join users carrier on ${isOnTheRoad} and ${bringsIt('carrier', 'p')}`;

/** By the first name. */
const carrier = `concat('{"firstName":', to_json((select word[1] from (${wordsOfName('carrier.name')}) words)), '}')`;

/** A delivery long past shows neither recipient nor places, and one that does not take place never does. */
export const isWithheld = `(p.status in ('cancelled', 'inactive') or coalesce(p.completed_at < $2, false))`;

/**
 * What the public page shows of a package itself, of `publicSource`, as fields of JSON text: written by concat, which takes two thirds of the time of
 * json_build_object. $2: the time before which a delivery is old: recipient and places are gone from it, as from what was cancelled or
 * deleted.
 */
export const publicFields = (recipient: PublicRecipient) => `
  '"name":', ${text('p.name')},
  ',"status":"', p.status,
  '","location":', case when ${isWithheld} then 'null' else ${text('p.location')} end,
  ',"eta":', ${text('p.eta')},
  ',"estimatedDeliveryTime":', case when ${isOnTheRoad} and carrier.id is null then 'null' else ${quoted(instant('p.estimated_delivery_at'))} end,
  ',"completedAt":', ${quoted(instant('p.completed_at'))},
  ',"recipientName":', case when p.hide_recipient or ${isWithheld} then 'null' else ${text(recipientColumns[recipient])} end,
  ',"sender":', case when p.show_sender and not ${isWithheld} then ${text(sender)} else 'null' end,
  ',"carrier":', case when carrier.id is null then 'null' else ${carrier} end,
  ',"category":', ${text('p.category')},
  ',"weight":', p.weight_kg`;

/** The end of the 30 days in which a delivered package shows its recipient. */
export const oldBefore = (now: Date): Date => new Date(now.getTime() - publicForDays * 86_400_000);

/** What the public page shows of this package, to compare: an edit that leaves it as it was is nobody's news there. */
export async function readPublicFields(
  tx: Tx,
  id: string,
  terms: { recipient: PublicRecipient; oldBefore: Date },
): Promise<string> {
  const [row] = await tx.query<{ shown: string }>(
    `select concat(${publicFields(terms.recipient)}) as shown from ${publicSource} where p.id = $1`,
    [id, terms.oldBefore],
  );
  return row?.shown ?? '';
}
