let repeats = 0;
/** What came under another address in the end, by its own: one instance of each, as always. */
const repeated = new Map<string, Promise<unknown>>();

/**
 * Loads code when it is needed: `loadModule(() => import('./Toaster.tsx'))`. A browser may remember for good that a file could
 * not be loaded, as Chromium did for years, and tells which: under another address it is asked for anew.
 */
export function loadModule<T>(load: () => Promise<T>): Promise<T> {
  return load().catch((error: unknown) => {
    const address = error instanceof Error ? /https?:\/\/\S+\.js/.exec(error.message)?.[0] : undefined;
    if (address === undefined) throw error;
    const loading = repeated.get(address) ?? import(/* @vite-ignore */ `${address}?again=${++repeats}`);
    repeated.set(address, loading);
    loading.catch(() => repeated.delete(address));
    return loading as Promise<T>;
  });
}
