import type { Ctx } from '../ctx.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { findDuplicates } from './import-duplicates.ts';
import { asContent } from './content.ts';
import type { RowSkip } from './import-queries.ts';
import { columnOf, type Row } from './import-rows.ts';
import { findPastDateFaults } from './past-dates.ts';

/** A row of the file, and why it is skipped, if it is: its package exists already, or the order has nothing to ship. */
export interface CheckedRow extends Row {
  skip: RowSkip | null;
}

export async function checkRows(ctx: Ctx, actor: Actor, batches: AsyncIterable<Row[]>): Promise<CheckedRow[]> {
  const { rows, reasons } = await findDuplicates(ctx.db, actor.id, batches);
  const present = { now: ctx.now(), timeZone: (await ctx.settings.find()).timeZone };
  return rows.map((row, index) => {
    const reason = row.unshipped ?? reasons[index] ?? null;
    const skip = reason === null ? null : { line: row.line, reason, unshipped: row.unshipped !== null };
    // Do not check dates of duplicates: they were valid when the package was registered.
    const past =
      row.input && skip === null ? Object.entries(findPastDateFaults(asContent(row.input, []), present)) : [];
    if (past.length === 0) return { ...row, skip };
    const faults = Object.fromEntries(past.map(([path, message]) => [columnOf(path), message]));
    return { ...row, input: null, faults, skip };
  });
}
