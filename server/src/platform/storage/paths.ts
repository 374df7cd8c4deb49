/** What a path may be. Nothing that a file system or a URL reads another way: no `..`, no empty part, no hidden file. */
const pattern = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}\/){1,3}[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

/** @throws when it is none: paths are made by the program, so this is a fault and not the caller's input */
export function checkPath(path: string): string {
  if (!pattern.test(path)) throw new Error('not a path of the storage');
  return path;
}
