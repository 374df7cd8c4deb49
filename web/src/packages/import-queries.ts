import { queryOptions } from '@tanstack/react-query';
import type { ImportMapping, ImportPreview } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { useIdempotencyKey } from '../platform/idempotency.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { mappingOf, loadMapping } from './import-mappings.ts';

const keys = { imports: ['imports'], packages: ['packages'] };

/** A file, and how its columns are read; null for as the server knows them. */
export interface ImportRequest {
  file: Blob;
  mapping: ImportMapping | null;
  /** Whether a shop's orders of which nothing is to be shipped become packages as well. */
  everyOrder: boolean;
}

/** What the server makes of a file before it is imported, and how it was read. */
export interface PreviewedImport extends ImportRequest {
  preview: ImportPreview;
}

/** The newest import: the one that runs, or ran last. */
export const lastImportQuery = () =>
  queryOptions({
    queryKey: [...keys.imports, 'last'],
    queryFn: async ({ signal }) => (await api.packages.imports({ query: { limit: 1 }, signal })).items[0] ?? null,
    meta: { showsError: true },
  });

const toQuery = ({ mapping, everyOrder }: ImportRequest) => ({
  query: { ...(mapping && { mapping: JSON.stringify(mapping) }), ...(everyOrder && { everyOrder }) },
});

/** Looks at a file: as its columns were read the last time, or else as the server knows or guesses them. */
export function usePreviewImport() {
  return useSingleMutation({
    mutationFn: async (asked: ImportRequest): Promise<PreviewedImport> => {
      const look = (how: ImportRequest) => api.packages.previewImport({ body: how.file, ...toQuery(how) });
      const preview = await look(asked);
      const known = asked.mapping ? null : loadMapping(preview.columns);
      if (known) return { ...asked, mapping: known, preview: await look({ ...asked, mapping: known }) };
      return { ...asked, mapping: preview.format === 'other' ? mappingOf(preview) : asked.mapping, preview };
    },
    meta: { showsError: true },
  });
}

/** Creates the packages of a file. The answer comes when all rows are done; how far it is tells `lastImportQuery`. */
export function useImportPackages() {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: ({ file, mapping, everyOrder }: ImportRequest) => {
      const named = file instanceof File ? [file.name, file.lastModified] : [];
      return api.packages.import({
        body: file,
        ...toQuery({ file, mapping, everyOrder }),
        idempotencyKey: keyOf([...named, file.size, mapping, everyOrder]),
      });
    },
    onSettled: () => {
      refresh(keys.imports);
      refresh(keys.packages);
    },
    meta: { showsError: true },
  });
}

export const useLiveImports = () => useInvalidation('import', () => refresh(keys.imports));
