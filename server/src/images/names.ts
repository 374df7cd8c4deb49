import { randomInt } from 'node:crypto';

/**
 * Images in public folders are visible to anybody with the URL; private ones need a signed URL. Images of cancelled and deleted
 * packages move from `packages` to `withdrawn`, so that a publicly readable bucket no longer serves them.
 */
const publicFolders = ['packages', 'profiles', 'branding'] as const;
const privateFolders = ['incidents', 'proofs', 'withdrawn'] as const;
export type Folder = (typeof publicFolders)[number] | (typeof privateFolders)[number];

export const folders: readonly Folder[] = [...publicFolders, ...privateFolders];
const namePattern = /^\d{13}-[a-z0-9]{6}-[A-Za-z0-9_-]{1,60}\.(?:jpg|png|webp)$/;

export const isFolder = (folder: string): folder is Folder => (folders as readonly string[]).includes(folder);
export const isPublic = (folder: string): boolean => (publicFolders as readonly string[]).includes(folder);
export const isImageName = (name: string): boolean => namePattern.test(name);

/** The URL of an image in a public folder. */
export const imageUrl = (path: string): string => `/media/${path}`;

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** `{timestamp}-{random6}-{sanitised filename}`. */
export function generateName(fileName: string, extension: string, at: Date): string {
  const random = Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join('');
  const base = fileName
    .replace(/^.*[/\\]/, '')
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${at.getTime()}-${random}-${base || 'image'}.${extension}`;
}

/** The sanitised file name without timestamp and random part, for messages. */
export const fileNameIn = (name: string): string => name.slice('1234567890123-abcdef-'.length);

/** The folder and name in an image URL, or null when it is not one of ours. A signature in the query is ignored. */
export function parseImageUrl(image: string): { folder: string; name: string } | null {
  const [, folder = '', name = ''] = /^\/media\/([a-z]+)\/([^/?]+)(?:\?[^/]*)?$/.exec(image) ?? [];
  return isFolder(folder) && isImageName(name) ? { folder, name } : null;
}

export const thumbnailPath = (path: string): string => `${path}.thumbnail.webp`;
export const incomingPath = (name: string): string => `incoming/${name}`;

const types = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' };

/** The media type of a stored file, by its extension. */
export const typeOfFile = (path: string): string => types[path.slice(path.lastIndexOf('.') + 1) as keyof typeof types];
