import { maxImportRows, type ImportPreview, type ImportQuery } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { readTable } from '../platform/csv/csv-records.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { withImportSlot } from './import-concurrency.ts';
import { checkRows } from './import-checks.ts';
import { detectLayout, findIgnoredColumns, findMissingColumns } from './import-mapping.ts';
import { readRows } from './import-rows.ts';

const tooManyPreviews = 'Too many rows were looked at within the hour. Please try again later.';

/** A dry run: reports what importing this file would create, using the import's own code. */
export const previewImport = (ctx: Ctx, actor: Actor, file: Buffer, query: ImportQuery): Promise<ImportPreview> =>
  withImportSlot(async () => {
    const table = await readTable(file, maxImportRows);
    const { header, records } = table;
    const layout = detectLayout(header, query);
    await ctx.rateLimits.take('previewRows', actor.id, { points: records.length, message: tooManyPreviews });
    const missing = findMissingColumns(layout);
    const rows = missing.length > 0 ? [] : await checkRows(ctx, actor, readRows(table, layout));
    const faulty = rows.filter(({ input, skip }) => input === null && skip === null);
    const skipped = rows.flatMap(({ skip }) => skip ?? []);
    return {
      format: layout.format,
      columns: header.map((name, index) => ({
        name,
        target: layout.targets[index] ?? null,
        samples: samplesOf(records.map(({ cells }) => cells[index] ?? '')),
      })),
      constants: layout.constants,
      missing,
      ignoredColumns: findIgnoredColumns(header, layout),
      total: rows.length,
      created: rows.length - faulty.length - skipped.length,
      failed: faulty.length,
      skipped: skipped.length,
      errors: faulty.map(({ line, faults, cells }) => ({
        line,
        reason: Object.values(faults).join('; '),
        fields: faults,
        cells,
      })),
      skippedRows: skipped,
    };
  });

const samplesOf = (values: string[]): string[] =>
  [...new Set(values.slice(0, 200).map((value) => value.trim()))]
    .filter((value) => value !== '')
    .slice(0, 3)
    .map((value) => value.slice(0, 80));
