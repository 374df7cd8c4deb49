import type { ImportMapping, ImportPreview } from '@waybill/contract';
import { localStorageItem } from '../platform/local-storage.ts';

const storage = localStorageItem('import-mappings');
/** One mapping per file header, the newest first. An owner has a few shops, not a hundred. */
const maxMappings = 20;

type SavedMapping = [header: string, mapping: ImportMapping][];

const headerOf = (columns: ImportPreview['columns']) => columns.map(({ name }) => name).join('\t');

function readAll(): SavedMapping {
  try {
    return JSON.parse(storage.read() ?? '[]') as SavedMapping;
  } catch {
    return [];
  }
}

/** The mapping last used for a file with these columns, or null. */
export const loadMapping = (columns: ImportPreview['columns']): ImportMapping | null =>
  readAll().find(([header]) => header === headerOf(columns))?.[1] ?? null;

export function saveMapping(columns: ImportPreview['columns'], mapping: ImportMapping): void {
  const header = headerOf(columns);
  const others = readAll().filter(([savedHeader]) => savedHeader !== header);
  storage.write(JSON.stringify([[header, mapping], ...others].slice(0, maxMappings)));
}

/** The mapping that the preview used, as the starting point for changes. */
export const mappingOf = ({ columns, constants }: Pick<ImportPreview, 'columns' | 'constants'>): ImportMapping => ({
  columns: Object.fromEntries(columns.flatMap(({ name, target }) => (target ? [[name, target]] : []))),
  constants,
});
