import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { ApiError, mapPartBytes } from '@waybill/contract';
import type { MapUpload } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { createStore, useStore } from '../platform/store.ts';

const key = ['map'];
const pollEveryMs = 1500;
/** How often a part is sent that does not arrive, each time after a longer wait. */
const maxTries = 5;

/** An upload that keeps others from beginning; null if there is none. */
export const runningOf = (upload: MapUpload | null): MapUpload | null =>
  upload && ['uploading', 'waiting', 'importing'].includes(upload.state) && !upload.isStalled ? upload : null;

const mapQuery = () =>
  queryOptions({
    queryKey: key,
    queryFn: ({ signal }) => api.map.read({ signal }),
    meta: { showsError: true },
    refetchInterval: ({ state }) => (runningOf(state.data?.upload ?? null) ? pollEveryMs : false),
  });

/** What the map is made of, and the newest upload: live, and more often while one runs. */
export function useMapState() {
  useInvalidation('map', () => refresh(key));
  return useQuery(mapQuery());
}

interface OwnUpload {
  id: string | null;
  name: string;
  /** In bytes. */
  sent: number;
  size: number;
  controller: AbortController;
}

/** The file that this window sends. It goes on while other pages are open. */
const own = createStore<OwnUpload | null>(null);
export const useOwnUpload = () => useStore(own);

const warnBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

async function send(file: File): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const show = (id: string | null, sent: number) => own.set({ id, name: file.name, sent, size: file.size, controller });
  show(null, 0);
  addEventListener('beforeunload', warnBeforeLeaving);
  try {
    const { id } = await api.map.begin({ body: { name: file.name.slice(-200), size: file.size }, signal });
    show(id, 0);
    refresh(key);
    for (let part = 0; part * mapPartBytes < file.size; part++) {
      const bytes = file.slice(part * mapPartBytes, (part + 1) * mapPartBytes);
      await sendPart(id, part, new File([bytes], 'part'), signal);
      show(id, Math.min(file.size, (part + 1) * mapPartBytes));
    }
    await api.map.finish({ params: { id }, signal });
  } catch (error) {
    // Whoever cancels needs no reason.
    if (signal.aborted) return;
    // What was refused or lost must not keep the next file waiting.
    const begun = own.get()?.id;
    if (begun) await api.map.cancel({ params: { id: begun } }).catch(() => {});
    throw error;
  } finally {
    removeEventListener('beforeunload', warnBeforeLeaving);
    own.set(null);
    refresh(key);
  }
}

/** A part that a bad connection or a busy server loses is sent again. */
async function sendPart(id: string, part: number, file: File, signal: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await api.map.part({ params: { id, part: String(part) }, file, signal });
      return;
    } catch (error) {
      signal.throwIfAborted();
      const isPassing =
        error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
      if (!isPassing || tries === maxTries) throw error;
      const seconds = error.retryAfterSeconds ?? tries * tries;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  }
}

/** Sends a file in parts, and has it imported. */
export const useUploadExtract = () => useMutation({ mutationFn: send, meta: { showsError: true } });

export const useCancelUpload = () =>
  useSingleMutation({
    async mutationFn(id: string, signal) {
      await api.map.cancel({ params: { id }, signal });
      if (own.get()?.id === id) own.get()?.controller.abort();
    },
    onSettled: () => refresh(key),
    meta: { showsError: true },
  });

export const useRemoveExtract = () =>
  useSingleMutation({
    mutationFn: (_: void, signal) => api.map.remove({ signal }),
    onSettled: () => refresh(key),
    meta: { showsError: true },
  });
