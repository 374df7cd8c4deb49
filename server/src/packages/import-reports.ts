import type { Import, ImportProgress, PageQuery } from '@waybill/contract';
import type * as z from 'zod/mini';
import type { Ctx } from '../ctx.ts';
import { notFound } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import {
  asProgress,
  asReport,
  countImports,
  findImport,
  listFaults,
  listImportRows,
  listSkips,
  type ImportRow,
} from './import-queries.ts';

export async function readImport(ctx: Ctx, actor: Actor, id: string): Promise<Import> {
  const row = await findImport(ctx.db, actor.id, id);
  if (!row) throw notFound('import');
  const [faults, skips] = [await listFaults(ctx.db, id), await listSkips(ctx.db, id)];
  return asReport(row, faults, skips);
}

export async function listImports(
  ctx: Ctx,
  actor: Actor,
  query: z.output<typeof PageQuery>,
): Promise<Page<ImportProgress>> {
  const rows = await listImportRows(ctx.db, actor.id, query.cursor ?? null, query.limit + 1);
  const count = query.count ? await countImports(ctx.db, actor.id) : null;
  return pageOf<ImportRow, ImportProgress>(rows, query.limit, count, (row) => row.id, asProgress);
}
