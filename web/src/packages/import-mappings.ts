import type { ImportMapping, ImportPreview } from '@waybill/contract';
import { localStorageItem } from '../platform/local-storage.ts';

const storage = localStorageItem('import-mappings');
/** Somebody has a few shops, not a hundred. */
const most = 20;

type Remembered = [header: string, mapping: ImportMapping][];

const headerOf = (columns: ImportPreview['columns']) => columns.map(({ name }) => name).join('\t');

function readAll(): Remembered {
  try {
    return JSON.parse(storage.read() ?? '[]') as Remembered;
  } catch {
    return [];
  }
}

/** What was chosen the last time for a file with these columns, or null. */
export const recallMapping = (columns: ImportPreview['columns']): ImportMapping | null =>
  readAll().find(([header]) => header === headerOf(columns))?.[1] ?? null;

export function rememberMapping(columns: ImportPreview['columns'], mapping: ImportMapping): void {
  const header = headerOf(columns);
  const others = readAll().filter(([known]) => known !== header);
  storage.write(JSON.stringify([[header, mapping], ...others].slice(0, most)));
}

/** How the preview was read, as what can be chosen. */
export const mappingOf = ({ columns, constants }: Pick<ImportPreview, 'columns' | 'constants'>): ImportMapping => ({
  columns: Object.fromEntries(columns.flatMap(({ name, target }) => (target ? [[name, target]] : []))),
  constants,
});
