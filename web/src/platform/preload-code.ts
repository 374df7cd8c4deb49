/** A chunk that could not be fetched; `status` is 0 without a response. */
export class MissingFile extends Error {
  override name = 'MissingFile';
  readonly status: number;
  constructor(path: string, status: number) {
    super(`${path} could not be loaded`);
    this.status = status;
  }
}

const files = new Map<string, Promise<void>>();

/**
 * Replaces Vite's `__vitePreload`, which preloads dependencies by <link rel="modulepreload">. The browser caches the failure of a
 * module, there or in an import, for the life of the page, and everything that imports it fails too; it also remembers a failed
 * <link rel="preload">. So each file is fetched first and then imported from the HTTP cache, or not imported at all. Files that the
 * document itself preloads are left to it. @throws MissingFile
 */
export async function preload<T>(load: () => Promise<T>, needed: string[] = []): Promise<T> {
  await Promise.all(needed.map((file) => fetchOnce(`/${file}`)));
  return load();
}

/** Several chunks that are loaded at the same time may need the same file. */
function fetchOnce(path: string): Promise<void> {
  const fetching = files.get(path) ?? fetchFile(path);
  files.set(path, fetching);
  fetching.catch(() => files.delete(path));
  return fetching;
}

async function fetchFile(path: string): Promise<void> {
  if (document.querySelector(`[href="${path}"], [src="${path}"]`)) return;
  const response = await fetch(path).catch(() => null);
  const body = response?.ok && (await response.arrayBuffer().catch(() => null));
  if (!body) throw new MissingFile(path, response?.ok ? 0 : (response?.status ?? 0));
}
