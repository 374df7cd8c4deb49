import type { Ctx } from '../ctx.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { findThere } from './import-duplicates.ts';
import { asContent } from './content.ts';
import type { RowSkip } from './import-queries.ts';
import { columnOf, type Row } from './import-rows.ts';
import { faultsOfPast } from './past-dates.ts';

/** A row of the file, and why it is left out: its package is there already, or nothing of the order is to be shipped. */
export interface Found extends Row {
  skip: RowSkip | null;
}

export async function findRows(ctx: Ctx, actor: Actor, rows: Row[]): Promise<Found[]> {
  const there = await findThere(
    ctx.db,
    actor.id,
    rows.map(({ input }) => input),
  );
  const present = { now: ctx.now(), timeZone: (await ctx.settings.find()).timeZone };
  return rows.map((row, index) => {
    const reason = row.unshipped ?? there[index] ?? null;
    const skip = reason === null ? null : { line: row.line, reason, unshipped: row.unshipped !== null };
    // What is there was in time when it was registered.
    const past = row.input && skip === null ? Object.entries(faultsOfPast(asContent(row.input, []), present)) : [];
    if (past.length === 0) return { ...row, skip };
    const faults = Object.fromEntries(past.map(([path, message]) => [columnOf(path), message]));
    return { ...row, input: null, faults, skip };
  });
}
