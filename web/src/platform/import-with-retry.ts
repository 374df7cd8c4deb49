import { MissingFile } from './preload-code.ts';

let repeats = 0;
/** What came under another address in the end, by its own: one instance of each, as always. */
const repeated = new Map<string, Promise<unknown>>();

/**
 * Why code did not come: the server cannot be reached, and will be; or it answers and the code does not come all the same: a newer
 * version has taken its place, or the browser remembers a failed file that it needs. Then only loading the page anew helps.
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
 * Loads code when it is needed: `importWithRetry(() => import('./Toaster.tsx'))`. A browser may remember for good that a file could
 * not be loaded, as Chromium did for years, and tells which: under another address it is asked for anew. @throws LoadError
 */
export function importWithRetry<T>(load: () => Promise<T>): Promise<T> {
  return load().catch((error: unknown) => {
    if (error instanceof MissingFile) throw reasonOf(error.status);
    const address = error instanceof Error ? /https?:\/\/\S+\.js/.exec(error.message)?.[0] : undefined;
    if (address === undefined) return giveUp('/livez');
    const loading = repeated.get(address) ?? import(/* @vite-ignore */ `${address}?again=${++repeats}`);
    repeated.set(address, loading);
    return loading.catch(() => {
      repeated.delete(address);
      return giveUp(address);
    }) as Promise<T>;
  });
}

async function giveUp(address: string): Promise<never> {
  const answer = await fetch(address, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  throw reasonOf(answer?.status ?? 0);
}

/** Nothing answered, or it was asked too often, or is in trouble: then another try may help. */
const reasonOf = (status: number) => new LoadError(status === 0 || status >= 429 ? 'unreachable' : 'replaced');
