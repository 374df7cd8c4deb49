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
 * A backup is a gzipped tar: `tables/<name>/<part>` (whole lines of COPY's text format), `jobs/<part>` (one pending job as JSON per
 * line), `files/<path>`, and `manifest.json` last, so that a truncated archive has no manifest.
 */
const Manifest = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  /** The migrations that had been applied to the database. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).min(1), rows: z.int() })),
  sequences: z.array(z.object({ name: z.string(), value: z.string().regex(/^-?\d+$/), called: z.boolean() })),
  files: z.int(),
  /** The end of the audit log, as `cli audit` prints it; null if it is empty. Missing in backups made before 0.2.0. */
  auditEnd: z.string().nullable().optional(),
  /** Checksum of the name, length and bytes of every entry before this one, in order. */
  sha256: z.string(),
  /** HMAC of the rest of the manifest, with the backup key of its installation. Missing in backups made before 0.2.0. */
  signature: z.string().optional(),
});
export type Manifest = z.output<typeof Manifest>;

const manifestName = 'manifest.json';

export interface ArchiveWriter {
  add(name: string, size: number, body: AsyncIterable<Buffer>): Promise<void>;
}

/** Writes a temporary file and renames it at the end: a file with the final name is always complete and on disk. */
export async function writeArchive(
  file: string,
  key: string,
  fill: (archive: ArchiveWriter) => Promise<Omit<Manifest, 'format' | 'sha256' | 'signature'>>,
): Promise<void> {
  const temporaryFile = `${file}.unfinished-${process.pid}`;
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
      createWriteStream(temporaryFile, { flags: 'wx', mode: 0o600, flush: true }),
    );
    const filled = fill({ add }).then(async (contents) => {
      const unsigned: Manifest = { format: 1, ...contents, sha256: sum.digest('hex') };
      const manifest: Manifest = { ...unsigned, signature: sign(key, JSON.stringify(unsigned)) };
      tar.entry({ name: manifestName }, JSON.stringify(manifest, null, 1));
      tar.finalize();
    });
    // A full disk fails the pipeline, and with it the code that still fills the archive.
    await Promise.all([saved, filled.catch((error: unknown) => tar.destroy(asError(error)))]);
    await rename(temporaryFile, file);
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(temporaryFile, { force: true });
    throw error;
  }
}

/**
 * Reads the whole archive and verifies its checksum and signature.
 * @param key the key that must have signed it, null if this installation has none; 'unsigned' skips the signature check
 * @throws Error with a message for the user when the backup is incomplete, altered, too new or not signed with the key
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

const unsignedHint = 'If you know that it is yours, --unsigned restores it all the same. Nothing was changed.';

/** The signature covers the manifest's JSON without `signature`, with the fields in the order of the file. */
function checkSignature(file: string, manifest: object, key: string | null): void {
  const { signature, ...signed } = manifest as Record<string, unknown>;
  if (typeof signature !== 'string')
    throw new Error(`${file} is not signed: anybody may have made or changed it. ${unsignedHint}`);
  if (key === null)
    throw new Error(
      `${file} is signed, but its key is not here: set BACKUP_KEY, or put the copy of backup.key into DATA_DIR. ${unsignedHint}`,
    );
  if (!isSignedWith(key, JSON.stringify(signed), signature))
    throw new Error(
      `${file} is not signed with the key of BACKUP_KEY or backup.key: it comes from another installation, or was changed. ${unsignedHint}`,
    );
}

/** Yields the entries in order; each body must be consumed before the next entry. */
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
