import { queryOptions } from '@tanstack/react-query';
import { api } from '../platform/api.ts';
import { useIdempotencyKey } from '../platform/idempotency.ts';
import { refresh, useHints } from '../platform/refresh.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';

const keys = { imports: ['imports'], packages: ['packages'] };

/** The newest import: the one that runs, or ran last. */
export const lastImportQuery = () =>
  queryOptions({
    queryKey: [...keys.imports, 'last'],
    queryFn: async ({ signal }) => (await api.packages.imports({ query: { limit: 1 }, signal })).items[0] ?? null,
    meta: { showsError: true },
  });

/** Creates the packages of a file. The answer comes when all rows are done; how far it is tells `lastImportQuery`. */
export function useImportPackages() {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: (file: File) =>
      api.packages.import({ body: file, idempotencyKey: keyOf([file.name, file.size, file.lastModified]) }),
    onSettled: () => {
      refresh(keys.imports);
      refresh(keys.packages);
    },
    meta: { showsError: true },
  });
}

export const useLiveImports = () => useHints('import', () => refresh(keys.imports));
