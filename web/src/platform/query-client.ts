import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { getSession, onSessionChange } from './session.ts';
import { toast } from './toasts.ts';
import { CancelledError, unsentNoteOf, unsentNotice } from './upload-errors.ts';

interface Meta extends Record<string, unknown> {
  /** The page shows this failure in its place, so no toast repeats it. */
  showsError?: boolean;
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: Meta;
    mutationMeta: Meta;
  }
}

function tell(error: Error, meta: Meta | undefined): void {
  if (error instanceof CancelledError) return;
  if (error.name === 'AbortError') {
    toast({ title: 'Cancelled', description: 'It had been sent already, and may have arrived. Please look again.' });
    return;
  }
  if (meta?.showsError) return;
  toast({ title: 'Error', description: error.message || 'An error occurred', variant: 'destructive' });
}

/**
 * Queries retry once and do not refetch on focus; a failure nobody shows becomes a toast. Without a connection a mutation fails at once:
 * one that waited for the signal would be sent after its dialog was closed, and everybody took it for cancelled.
 */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false }, mutations: { networkMode: 'always' } },
  queryCache: new QueryCache({ onError: (error, query) => tell(error, query.meta) }),
  mutationCache: new MutationCache({
    onMutate: () => unsentNotice.set(null),
    onError(error, _variables, _result, mutation) {
      unsentNotice.set(unsentNoteOf(error));
      tell(error, mutation.meta);
    },
  }),
});

// What one user has read is not for the next.
let readBy: string | null = null;
onSessionChange(() => {
  const reader = getSession().user?.id ?? null;
  if (reader === readBy) return;
  readBy = reader;
  queryClient.clear();
});
