/** Valid storage paths: nothing with another meaning in a file system or URL, so no `..`, no empty part, no hidden file. */
const pattern = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}\/){1,3}[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

/** @throws Error if the path is not valid: a bug of the program, which makes all paths, and not the caller's input */
export function checkPath(path: string): string {
  if (!pattern.test(path)) throw new Error('not a path of the storage');
  return path;
}
