import type { Ctx } from '../ctx.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { findThere } from './already-there.ts';
import { asContent } from './content.ts';
import { columnOf, type Row } from './import-rows.ts';
import { faultsOfPast } from './past.ts';

/** A row of the file, and why it is left out where its package is there already. */
export interface Found extends Row {
  there: string | null;
}

export async function findRows(ctx: Ctx, actor: Actor, rows: Row[]): Promise<Found[]> {
  const there = await findThere(
    ctx.db,
    actor.id,
    rows.map(({ input }) => input),
  );
  const present = { now: ctx.now(), timeZone: (await ctx.settings.find()).timeZone };
  return rows.map((row, index) => {
    const reason = there[index] ?? null;
    // What is there was in time when it was registered.
    const past = row.input && reason === null ? Object.entries(faultsOfPast(asContent(row.input, []), present)) : [];
    if (past.length === 0) return { ...row, there: reason };
    const faults = Object.fromEntries(past.map(([path, message]) => [columnOf(path), message]));
    return { ...row, input: null, faults, there: null };
  });
}
