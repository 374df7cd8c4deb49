import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../errors.ts';
import type { ListedFile, Storage } from './storage.ts';
import { checkPath } from './paths.ts';

/** Files are written here under random names, then renamed. What a crash leaves behind is listed like any file, and swept as an orphan. */
const tempFolder = 'incoming/unfinished';

/** Storage in a local folder. */
export function openLocalStorage(folder: string): Storage {
  const at = (path: string) => join(folder, checkPath(path));
  return {
    kind: 'local',
    async put(path, body, { size, checksum }) {
      const target = at(path);
      const tempFile = join(folder, tempFolder, randomUUID());
      await mkdir(dirname(tempFile), { recursive: true });
      try {
        const source = body instanceof Readable ? body : Readable.from([body]);
        await pipeline(
          source,
          verifyContent(size, checksum),
          createWriteStream(tempFile, { flags: 'wx', mode: 0o600, flush: true }),
        );
        await mkdir(dirname(target), { recursive: true });
        await rename(tempFile, target);
        // fsync the folder: otherwise the rename may be lost in a crash.
        await syncFolder(dirname(target));
      } catch (error) {
        await rm(tempFile, { force: true });
        throw error;
      }
    },
    async get(path) {
      const file = at(path);
      const found = await stat(file).catch(ignoreMissing);
      if (!found?.isFile()) return null;
      return { stream: createReadStream(file), size: found.size };
    },
    delete: (path) => rm(at(path), { force: true }),
    list: (prefix) => listFolder(folder, prefix),
    // Local storage has no upload endpoint of its own.
    signUpload: () => Promise.resolve(null),
    async tryWriting() {
      const probe = join(folder, tempFolder, randomUUID());
      await mkdir(dirname(probe), { recursive: true });
      try {
        await writeFile(probe, Buffer.alloc(probeBytes, 1), { mode: 0o600 });
      } finally {
        await rm(probe, { force: true });
      }
    },
    close: () => {},
  };
}

/** The size of a small photo. More than fits the rest of an allocated block, so that a full disk is noticed. */
const probeBytes = 64 * 1024;

/** Passes bytes through, and fails if their number or checksum is not the announced one; at the first surplus byte already. */
function verifyContent(size: number, checksum: string | undefined): Transform {
  const hash = createHash('sha256');
  let passed = 0;
  const mismatch = () => {
    if (passed !== size) return new AppError('invalid', 'The file is not as long as announced');
    if (checksum && hash.digest('base64') !== checksum)
      return new AppError('invalid', 'The file is not the announced one');
    return null;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      if (checksum) hash.update(chunk);
      done(passed > size ? mismatch() : null, chunk);
    },
    flush: (done) => done(mismatch()),
  });
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function* listFolder(folder: string, prefix: string): AsyncGenerator<ListedFile> {
  const entries = await opendir(join(folder, prefix), { recursive: true }).catch(ignoreMissing);
  if (!entries) return;
  for await (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    // It may have been deleted since.
    const found = await stat(file).catch(ignoreMissing);
    if (found) yield { path: relative(folder, file).split(sep).join('/'), size: found.size, modifiedAt: found.mtime };
  }
}

function ignoreMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
  throw error;
}
