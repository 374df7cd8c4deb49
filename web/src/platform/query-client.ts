import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { getSession, onSessionChange } from './session.ts';
import { toast } from './toasts.ts';
import { CancelledError, unsentNoteOf, unsentNotice } from './upload-errors.ts';

interface Meta extends Record<string, unknown> {
  /** The component shows this error itself: no toast. */
  showsError?: boolean;
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: Meta;
    mutationMeta: Meta;
  }
}

function showErrorToast(error: Error, meta: Meta | undefined): void {
  if (error instanceof CancelledError) return;
  if (error.name === 'AbortError') {
    toast({ title: 'Cancelled', description: 'It had been sent already, and may have arrived. Please look again.' });
    return;
  }
  if (meta?.showsError) return;
  toast({ title: 'Error', description: error.message || 'An error occurred', variant: 'destructive' });
}

/**
 * Queries retry once and do not refetch on focus; an error that no component shows becomes a toast. Without a connection a mutation
 * fails at once: a paused mutation would be sent after its dialog was closed and the user considers it cancelled.
 */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false }, mutations: { networkMode: 'always' } },
  queryCache: new QueryCache({ onError: (error, query) => showErrorToast(error, query.meta) }),
  mutationCache: new MutationCache({
    onMutate: () => unsentNotice.set(null),
    onError(error, _variables, _result, mutation) {
      unsentNotice.set(unsentNoteOf(error));
      showErrorToast(error, mutation.meta);
    },
  }),
});

// Clear the cache when the user changes: it may hold data that the next user must not see.
let cachedFor: string | null = null;
onSessionChange(() => {
  const userId = getSession().user?.id ?? null;
  if (userId === cachedFor) return;
  cachedFor = userId;
  queryClient.clear();
});
