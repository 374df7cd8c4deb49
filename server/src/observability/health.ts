import { v7 as uuid } from 'uuid';
import type { Pool } from '../platform/database/db.ts';
import { sqlState } from '../platform/errors.ts';
import type { Storage } from '../platform/storage/storage.ts';

/** How long a successful write counts, and a failed one: monitors of several balancers may ask several times a second. */
const goodForMs = 3000;
const badForMs = 500;

/**
 * Whether this process can serve, and if not, why: a sentence for /healthz. Reads are tried at each call; a write of a page to the
 * database and of a file to the store at most every three seconds, by whoever asks first.
 */
export function openHealth(pool: Pool, storage: Storage): () => Promise<string | null> {
  let tried: { result: Promise<string | null>; until: number } | null = null;
  const tryWriting = () => {
    if (tried && performance.now() < tried.until) return tried.result;
    const attempt = { result: whyNothingCanBeWritten(pool, storage), until: Infinity };
    tried = attempt;
    void attempt.result.then((reason) => (attempt.until = performance.now() + (reason ? badForMs : goodForMs)));
    return attempt.result;
  };
  return async () => {
    try {
      await pool.query('select 1');
    } catch (error) {
      const reason = databaseReasons[sqlState(error) ?? ''];
      return reason ? `Nothing can be written: ${reason}` : `The database does not answer: ${messageOf(error)}`;
    }
    return tryWriting();
  };
}

async function whyNothingCanBeWritten(pool: Pool, storage: Storage): Promise<string | null> {
  try {
    const id = uuid();
    // A new page: on a full disk a row that fits into an old one could still be changed.
    await pool.query("insert into health_probe (id, padding) values ($1, repeat('x', 7000))", [id]);
    // And what others left who were cut off.
    await pool.query('delete from health_probe where id <= $1', [id]);
  } catch (error) {
    return `Nothing can be written: ${databaseReasons[sqlState(error) ?? ''] ?? messageOf(error)}`;
  }
  try {
    await storage.tryWriting();
  } catch (error) {
    const code = sqlState(error) ?? 'unknown reason';
    return `Files cannot be written: ${fileReasons[code] ?? code}`;
  }
  return null;
}

const databaseReasons: Record<string, string> = {
  '25006': 'the database is read-only, as a standby is',
  '53100': 'the disk of the database is full',
};

/** In words of our own: the system's name the path. */
const fileReasons: Record<string, string> = {
  ENOSPC: 'the disk of DATA_DIR is full',
  EDQUOT: 'the quota of the disk of DATA_DIR is used up',
  EROFS: 'DATA_DIR is on a read-only file system',
  EACCES: 'the server has no right to write to DATA_DIR',
  EIO: 'the disk of DATA_DIR is broken',
};

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
