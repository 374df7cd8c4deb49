import { buffer } from 'node:stream/consumers';
import {
  isOnTheRoad,
  maxPersonRows,
  type ErasedPerson,
  type ErasePersonInput,
  type PersonInput,
  type PersonSearchInput,
  type Persons,
} from '@waybill/contract';
import { zipSync } from 'fflate';
import { audit } from '../audit/service.ts';
import type { Ctx } from '../ctx.ts';
import { typeOfFile } from '../images/names.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { AppError, forbidden, notFound } from '../platform/errors.ts';
import type { WholeFile } from '../platform/http/http.ts';
import { deleteUser } from '../users/accounts.ts';
import { assertCanManage } from '../users/rights.ts';
import { findUser, type CarriedDeliveries } from '../users/service.ts';
import {
  countUnderWayOf,
  eraseBesidePackages,
  findAccounts,
  findRecipients,
  lockRecipients,
  readAccountParts,
  readRecipientParts,
} from './persons-queries.ts';
import { eraseRecipients } from './recipients.ts';

/** Recipients of all owners are found, so the right to see all accounts is not enough. */
function requireAll(actor: Actor): void {
  if (!actor.permissions.includes('packages.view_all')) throw forbidden();
}

const isOpen = (status: string): boolean => status === 'processing' || isOnTheRoad(status as 'processing');

/** Finds accounts, and packages by their recipient. Audited without what was searched for, which the audit log could not forget. */
export async function findPersons(
  ctx: Ctx,
  actor: Actor,
  { q, before = null }: PersonSearchInput,
  signal: AbortSignal,
): Promise<Persons> {
  requireAll(actor);
  await ctx.rateLimits.take('persons', actor.id);
  const accounts = await findAccounts(ctx.db, q);
  const { rows: packages, older } = await findRecipients(ctx, q, before, signal);
  const found = { accounts: accounts.length, packages: packages.length };
  await audit(ctx.db, { act: 'person.searched', actorId: actor.id, details: found });
  return {
    accounts: accounts.slice(0, maxPersonRows).map(({ created_at: createdAt, under_way: underWay, ...account }) => ({
      ...account,
      createdAt: createdAt.toISOString(),
      underWay,
    })),
    packages: packages.slice(0, maxPersonRows).map((row) => ({
      id: row.id,
      trackingId: row.tracking_id,
      status: row.status,
      recipientName: row.recipient_name,
      recipientContact: row.recipient_contact,
      recipientEmail: row.recipient_email,
      recipientPhone: row.recipient_phone,
      town: row.town,
      receivedBy: row.received_by,
      hasProof: row.has_proof,
      messages: row.messages,
      createdAt: row.created_at.toISOString(),
      isOpen: isOpen(row.status),
    })),
    isCapped: accounts.length > maxPersonRows || packages.length > maxPersonRows,
    older: older && { before: older.before, at: older.at.toISOString() },
  };
}

/** A ZIP archive: `person.json`, and the images of the proofs. An image that cannot be read is named in `missing`. */
export async function exportPerson(ctx: Ctx, actor: Actor, { accountId, packageIds }: PersonInput): Promise<WholeFile> {
  requireAll(actor);
  await ctx.rateLimits.take('exports', actor.id);
  if (accountId && !(await findUser(ctx.db, accountId))) throw notFound('person');
  const packages = await readRecipientParts(ctx.db, packageIds);
  if (packages.length < new Set(packageIds).size) throw notFound('person');
  const account = accountId ? await readAccountParts(ctx.db, accountId) : null;
  await audit(ctx.db, {
    act: 'person.exported',
    actorId: actor.id,
    subjectId: accountId ?? packageIds[0] ?? null,
    details: { packages: packageIds },
  });
  const files: Record<string, Uint8Array> = {};
  const missing: string[] = [];
  for (const { tracking_id: trackingId, photo, signature } of packages)
    for (const [field, path] of Object.entries({ photo, signature })) {
      if (path === null) continue;
      const name = `${trackingId}-${field}.${typeOfFile(path).replace('image/', '').replace('jpeg', 'jpg')}`;
      const image = await readImage(ctx, path);
      if (image) files[name] = image;
      else missing.push(name);
    }
  const person = { exportedAt: ctx.now().toISOString(), account, packages: packages.map(({ data }) => data), missing };
  files['person.json'] = Buffer.from(`${JSON.stringify(person, null, 2)}\n`);
  return { name: `person-${ctx.now().toISOString().slice(0, 10)}.zip`, bytes: zipSync(files, { mtime: ctx.now() }) };
}

async function readImage({ storage, log }: Pick<Ctx, 'storage' | 'log'>, path: string): Promise<Uint8Array | null> {
  try {
    const file = await storage.get(path);
    return file && (await buffer(file.stream));
  } catch (error) {
    log.error({ reason: String(error) }, 'the image store failed to read a proof');
    return null;
  }
}

/**
 * Erases an account, and the recipients of packages. Refused as a whole while one of the packages waits or is on the road: its driver needs
 * name and address. The account is erased last, by the rules of its deletion.
 */
export async function erasePerson(
  ctx: Ctx,
  actor: Actor,
  { accountId, packageIds }: ErasePersonInput,
  deliveries: CarriedDeliveries,
): Promise<ErasedPerson> {
  requireAll(actor);
  await ctx.rateLimits.take('persons', actor.id);
  if (accountId && !actor.permissions.includes('users.delete')) throw forbidden();
  const user = accountId ? await findUser(ctx.db, accountId) : null;
  // Its deletion checks that again, when the recipients are erased already.
  if (user) assertCanManage(actor, user, actor.permissions);
  const ids = [...new Set(packageIds)];
  await ctx.db.transaction(async (tx) => {
    if (accountId) await refuseWhileUnderWay(tx, accountId);
    const locked = await lockRecipients(tx, ids);
    if (locked.length < ids.length) throw notFound('person');
    const open = locked.filter(({ status }) => isOpen(status));
    if (open.length > 0)
      throw new AppError(
        'conflict',
        `${open.map(({ tracking_id: id }) => id).join(', ')}: the delivery has not ended, and its driver needs name and address. ` +
          'Please wait for its end or cancel the package first.',
      );
    await eraseBesidePackages(tx, ids);
    await eraseRecipients(tx, 'id = any($1) and not recipient_removed', ids);
    await audit(tx, {
      act: 'person.erased',
      actorId: actor.id,
      subjectId: accountId ?? ids[0] ?? null,
      details: { packages: ids },
    });
  });
  if (accountId) await deleteUser(ctx, actor, accountId, undefined, deliveries);
  return { account: Boolean(accountId), packages: ids.length };
}

async function refuseWhileUnderWay(tx: Parameters<typeof countUnderWayOf>[0], userId: string): Promise<void> {
  if (!(await findUser(tx, userId))) throw notFound('person');
  const underWay = await countUnderWayOf(tx, userId);
  if (underWay > 0)
    throw new AppError(
      'conflict',
      `This account has ${underWay === 1 ? 'a package' : `${underWay} packages`} on the road. Please wait for the end, or hand over what a driver carries first.`,
    );
}
