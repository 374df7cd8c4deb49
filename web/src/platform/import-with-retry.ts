import { MissingFile } from './preload-code.ts';

let retries = 0;
/** Modules that were loaded under a retry URL, by their original URL, so that each still has only one instance. */
const retriedModules = new Map<string, Promise<unknown>>();

/**
 * Why a chunk failed to load. `unreachable`: the server does not respond; a retry may help. `replaced`: the server responds, but the
 * chunk still fails, because a newer version was deployed or the browser has cached the failure of an import. Only a reload helps.
 */
export class LoadError extends Error {
  override name = 'LoadError';
  readonly reason: 'unreachable' | 'replaced';
  constructor(reason: LoadError['reason']) {
    super(
      reason === 'unreachable'
        ? 'The server cannot be reached. Please try again.'
        : 'A newer version is there. Please reload the page.',
    );
    this.reason = reason;
  }
}

/**
 * Loads a chunk on demand: `importWithRetry(() => import('./Toaster.tsx'))`. A browser may cache a failed import for the life of the
 * page, as Chromium did for years. Its error message has the URL, so the retry imports the same file under another query string.
 * @throws LoadError
 */
export function importWithRetry<T>(load: () => Promise<T>): Promise<T> {
  return load().catch((error: unknown) => {
    if (error instanceof MissingFile) throw toLoadError(error.status);
    const url = error instanceof Error ? /https?:\/\/\S+\.js/.exec(error.message)?.[0] : undefined;
    if (url === undefined) return throwLoadError('/livez');
    const loading = retriedModules.get(url) ?? import(/* @vite-ignore */ `${url}?again=${++retries}`);
    retriedModules.set(url, loading);
    return loading.catch(() => {
      retriedModules.delete(url);
      return throwLoadError(url);
    }) as Promise<T>;
  });
}

async function throwLoadError(url: string): Promise<never> {
  const response = await fetch(url, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  throw toLoadError(response?.status ?? 0);
}

/** No response (0), rate limited (429) or a server error (5xx): a retry may help. */
const toLoadError = (status: number) => new LoadError(status === 0 || status >= 429 ? 'unreachable' : 'replaced');
