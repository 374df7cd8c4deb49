/** A file of the application that could not be had; `status` is 0 where nothing answered. */
export class MissingFile extends Error {
  override name = 'MissingFile';
  readonly status: number;
  constructor(path: string, status: number) {
    super(`${path} could not be loaded`);
    this.status = status;
  }
}

const present = new Set<string>();

/**
 * In the place of Vite's own `__vitePreload`, which asks for what code needs by <link rel="modulepreload">: a file that fails there,
 * or in an import, the browser remembers as failed for as long as the page is open, and everything that needs it stays away with it.
 * Fetched first, it is imported out of the browser's cache, or not at all. @throws MissingFile
 */
export async function preload<T>(load: () => Promise<T>, files: string[] = []): Promise<T> {
  await Promise.all(files.map((file) => fetchOnce(`/${file}`)));
  return load();
}

async function fetchOnce(path: string): Promise<void> {
  if (present.has(path) || document.querySelector(`[href="${path}"], [src="${path}"]`)) return;
  const response = await fetch(path).catch(() => null);
  const whole = response?.ok && (await response.arrayBuffer().catch(() => null));
  if (!whole) throw new MissingFile(path, response?.ok ? 0 : (response?.status ?? 0));
  present.add(path);
}
