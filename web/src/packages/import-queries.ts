import { queryOptions } from '@tanstack/react-query';
import type { ImportMapping, ImportPreview } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { useIdempotencyKey } from '../platform/idempotency.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { mappingOf, loadMapping } from './import-mappings.ts';

const keys = { imports: ['imports'], packages: ['packages'] };

/** A file and its column mapping; null lets the server recognize the columns. */
export interface ImportRequest {
  file: Blob;
  mapping: ImportMapping | null;
  /** Whether shop orders with nothing to ship are imported too. */
  everyOrder: boolean;
}

/** The server's preview of a file, with the mapping that it used. */
export interface PreviewedImport extends ImportRequest {
  file: File;
  preview: ImportPreview;
}

/** The newest import, running or finished; null without any. */
export const lastImportQuery = () =>
  queryOptions({
    queryKey: [...keys.imports, 'last'],
    queryFn: async ({ signal }) => (await api.packages.imports({ query: { limit: 1 }, signal })).items[0] ?? null,
    meta: { showsError: true },
  });

const toQuery = ({ mapping, everyOrder }: ImportRequest) => ({
  query: { ...(mapping && { mapping: JSON.stringify(mapping) }), ...(everyOrder && { everyOrder }) },
});

/** Previews a file with the mapping last used for its columns, else with the one the server recognizes or guesses. */
export function usePreviewImport() {
  return useSingleMutation({
    mutationFn: async (request: Omit<PreviewedImport, 'preview'>): Promise<PreviewedImport> => {
      const fetchPreview = (options: ImportRequest) =>
        api.packages.previewImport({ body: options.file, ...toQuery(options) });
      const preview = await fetchPreview(request);
      const saved = request.mapping ? null : loadMapping(preview.columns);
      if (saved) return { ...request, mapping: saved, preview: await fetchPreview({ ...request, mapping: saved }) };
      return { ...request, mapping: preview.format === 'other' ? mappingOf(preview) : request.mapping, preview };
    },
    meta: { showsError: true },
  });
}

/** Creates the packages of a file. The response comes after the last row; `lastImportQuery` has the progress. */
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
