import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { z } from 'zod';
import { isSignedWith, sign } from './backup-key.ts';

/**
 * A backup is a gzipped tar: `tables/<name>/<part>` (whole lines of COPY's text format), `jobs/<part>` (a waiting job as JSON a
 * line), `files/<path>`, and last of all `manifest.json`, so that a file without one is not whole.
 */
const Manifest = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  /** What the database had been brought up to. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).min(1), rows: z.int() })),
  sequences: z.array(z.object({ name: z.string(), value: z.string().regex(/^-?\d+$/), called: z.boolean() })),
  files: z.int(),
  /** Where the audit log ends, as `cli audit` prints it; null where it is empty. Backups of before 0.2.0 do not tell. */
  auditEnd: z.string().nullable().optional(),
  /** Over the name, length and bytes of every entry before this one, in their order. */
  sha256: z.string(),
  /** Over everything else in the manifest, by the key of whoever made it. Backups of before 0.2.0 have none. */
  signature: z.string().optional(),
});
export type Manifest = z.output<typeof Manifest>;

const manifestName = 'manifest.json';

export interface ArchiveWriter {
  add(name: string, size: number, body: AsyncIterable<Buffer>): Promise<void>;
}

/** Writes beside the place and renames at the end: whatever happens on the way, what has the name is whole and on disk. */
export async function writeArchive(
  file: string,
  key: string,
  fill: (archive: ArchiveWriter) => Promise<Omit<Manifest, 'format' | 'sha256' | 'signature'>>,
): Promise<void> {
  const draft = `${file}.unfinished-${process.pid}`;
  const tar = pack();
  const sum = createHash('sha256');
  async function add(name: string, size: number, body: AsyncIterable<Buffer>): Promise<void> {
    startEntry(sum, name, size);
    const written = Promise.withResolvers<null>();
    const entry = tar.entry({ name, size }, (error) => (error ? written.reject(error) : written.resolve(null)));
    written.promise.catch(() => {});
    for await (const chunk of body) {
      sum.update(chunk);
      if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), written.promise]);
    }
    entry.end(null);
    await written.promise;
  }
  try {
    const saved = pipeline(
      tar,
      createGzip({ level: 4 }),
      createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
    );
    const filled = fill({ add }).then(async (contents) => {
      const unsigned: Manifest = { format: 1, ...contents, sha256: sum.digest('hex') };
      const manifest: Manifest = { ...unsigned, signature: sign(key, JSON.stringify(unsigned)) };
      tar.entry({ name: manifestName }, JSON.stringify(manifest, null, 1));
      tar.finalize();
    });
    // A full disk ends the pipeline, and what still fills the archive with it.
    await Promise.all([saved, filled.catch((error: unknown) => tar.destroy(asError(error)))]);
    await rename(draft, file);
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Reads all of it and compares.
 * @param key what it must be signed with, null where there is none here; 'unsigned' where whoever restores it vouches for it
 * @throws a sentence when it is not a whole and unchanged backup
 */
export async function checkArchive(
  file: string,
  key: { key: string | null } | 'unsigned',
  onRead: (bytes: number) => void,
): Promise<Manifest> {
  const sum = createHash('sha256');
  let manifest: unknown = null;
  try {
    for await (const { name, size, body } of readArchive(file, onRead)) {
      if (manifest) throw new Error('something follows its manifest');
      if (name === manifestName) {
        manifest = await json(body);
        continue;
      }
      startEntry(sum, name, size);
      for await (const chunk of body) sum.update(chunk);
    }
  } catch (error) {
    throw new Error(`${file} cannot be read as a backup: ${asError(error).message}`, { cause: error });
  }
  if (!manifest) throw new Error(`${file} is no backup, or not a whole one.`);
  if ((manifest as { format?: unknown }).format !== 1)
    throw new Error(`${file} was made by a newer version of Waybill: restore it with that one.`);
  const checked = Manifest.safeParse(manifest);
  if (!checked.success || checked.data.sha256 !== sum.digest('hex'))
    throw new Error(`${file} is damaged: its contents are not those that were saved. Nothing was changed.`);
  if (key !== 'unsigned') checkSignature(file, manifest, key.key);
  return checked.data;
}

const goOn = 'If you know that it is yours, --unsigned restores it all the same. Nothing was changed.';

/** What was signed is what the text of the manifest says, in its order, without the signature. */
function checkSignature(file: string, manifest: object, key: string | null): void {
  const { signature, ...signed } = manifest as Record<string, unknown>;
  if (typeof signature !== 'string')
    throw new Error(`${file} is not signed: anybody may have made or changed it. ${goOn}`);
  if (key === null)
    throw new Error(
      `${file} is signed, but its key is not here: set BACKUP_KEY, or put the copy of backup.key into DATA_DIR. ${goOn}`,
    );
  if (!isSignedWith(key, JSON.stringify(signed), signature))
    throw new Error(
      `${file} is not signed with the key of BACKUP_KEY or backup.key: it comes from another installation, or was changed. ${goOn}`,
    );
}

/** Its entries in order; each must be read before the next comes. */
export async function* readArchive(
  file: string,
  onRead: (bytes: number) => void,
): AsyncGenerator<{ name: string; size: number; body: AsyncIterable<Buffer> }> {
  const source = createReadStream(file, { highWaterMark: 1 << 18 });
  source.on('data', () => onRead(source.bytesRead));
  const tar = extract();
  const read = pipeline(source, createGunzip(), tar);
  read.catch(() => {});
  for await (const entry of tar)
    yield { name: entry.header.name, size: entry.header.size ?? 0, body: entry as AsyncIterable<Buffer> };
  await read;
}

function startEntry(sum: Hash, name: string, size: number): void {
  sum.update(`${name}\0${size}\n`);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
