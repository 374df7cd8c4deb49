/** A chunk that could not be fetched; `status` is 0 without a response. */
export class MissingFile extends Error {
  override name = 'MissingFile';
  readonly status: number;
  constructor(path: string, status: number) {
    super(`${path} could not be loaded`);
    this.status = status;
  }
}

const fetched = new Set<string>();

/**
 * Replaces Vite's `__vitePreload`, which preloads dependencies by <link rel="modulepreload">. The browser caches the failure of a
 * module, there or in an import, for the life of the page, and everything that imports it fails too. So each file is fetched first and
 * then imported from the HTTP cache, or not imported at all. @throws MissingFile
 */
export async function preload<T>(load: () => Promise<T>, files: string[] = []): Promise<T> {
  await Promise.all(files.map((file) => fetchOnce(`/${file}`)));
  return load();
}

async function fetchOnce(path: string): Promise<void> {
  if (fetched.has(path) || document.querySelector(`[href="${path}"], [src="${path}"]`)) return;
  const response = await fetch(path).catch(() => null);
  const body = response?.ok && (await response.arrayBuffer().catch(() => null));
  if (!body) throw new MissingFile(path, response?.ok ? 0 : (response?.status ?? 0));
  fetched.add(path);
}
