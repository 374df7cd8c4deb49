import { findAuditHash, verifyAudit } from '../audit/service.ts';
import type { Queryable } from '../platform/database/db.ts';
import { defineCommand, UsageError } from './command.ts';
import { withDatabase } from './database.ts';

export const auditCommand = defineCommand(
  {
    help: `npm run cli -- audit [<end>]

Recomputes the chain of the audit log and prints its end: how many entries it has, and the hash of the last. Keep that somewhere
that the database's owner cannot reach. Given again later, it tells whether the log still goes through it: entries that were cut
off at the end, or all written anew, show by nothing else. Exit code 1 where something is wrong.`,
    options: {},
    operands: 1,
  },
  (_values, [knownEnd]) => {
    if (knownEnd !== undefined && !endPattern.test(knownEnd))
      throw new UsageError(`'${knownEnd}' is no end of an audit log: it looks like 123:9f86d0… with 64 digits`);
    return withDatabase(async (db) => {
      const { ok, says } = await checkAudit(db, knownEnd ?? null);
      (ok ? console.log : console.error)(says);
      return ok ? 0 : 1;
    });
  },
);

const endPattern = /^(\d{1,15}):([\da-f]{64})$/;

/** @param knownEnd an end that was printed earlier, or null */
export async function checkAudit(db: Queryable, knownEnd: string | null): Promise<{ ok: boolean; says: string }> {
  const { rows, brokenAt } = await verifyAudit(db);
  if (brokenAt !== null)
    return { ok: false, says: `Entry ${brokenAt} was changed, or one before it taken out: compare with a backup.` };
  const [, entryId, hash] = endPattern.exec(knownEnd ?? '') ?? [];
  if (entryId !== undefined && (await findAuditHash(db, entryId)) !== hash)
    return {
      ok: false,
      says: `The chain of its ${rows} entries does not go through ${knownEnd}: entries were cut off or written anew, or an older backup was restored.`,
    };
  if (rows === 0) return { ok: true, says: 'The audit log is empty.' };
  const through = entryId === undefined ? '' : ` and goes through entry ${entryId}`;
  return { ok: true, says: `The chain is whole${through}. Its end: ${rows}:${await findAuditHash(db, String(rows))}` };
}
