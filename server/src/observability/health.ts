import { v7 as uuid } from 'uuid';
import type { Pool } from '../platform/database/db.ts';
import { sqlState } from '../platform/errors.ts';
import type { Storage } from '../platform/storage/storage.ts';

/** How long the result of a write probe is cached: several load balancers may check several times a second. */
const successTtlMs = 3000;
const failureTtlMs = 500;

/**
 * Returns a health check for /healthz: null when this process can serve, else the reason as a sentence. Each call probes a read;
 * writes (a page to the database, a file to the storage) are probed at most every 3 s, and concurrent calls share the probe.
 */
export function openHealth(pool: Pool, storage: Storage, isDiskFull: () => boolean): () => Promise<string | null> {
  let cached: { result: Promise<string | null>; until: number } | null = null;
  const probeWrites = () => {
    if (cached && performance.now() < cached.until) return cached.result;
    const entry = { result: findWriteFault(pool, storage), until: Infinity };
    cached = entry;
    void entry.result.then((reason) => (entry.until = performance.now() + (reason ? failureTtlMs : successTtlMs)));
    return entry.result;
  };
  return async () => {
    try {
      await pool.query('select 1');
    } catch (error) {
      const reason = databaseReasons[sqlState(error) ?? ''];
      return reason ? `Nothing can be written: ${reason}` : `The database does not answer: ${messageOf(error)}`;
    }
    // No probe, which would fill what PostgreSQL needs.
    return isDiskFull() ? `Nothing can be written: ${diskFull}` : probeWrites();
  };
}

async function findWriteFault(pool: Pool, storage: Storage): Promise<string | null> {
  try {
    const id = uuid();
    // Large enough for a new page: on a full disk, a small row would still fit into an existing one.
    await pool.query("insert into health_probe (id, padding) values ($1, repeat('x', 7000))", [id]);
    // Also deletes older rows, left by probes that were interrupted.
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

const diskFull = 'the disk of the database is full';

const databaseReasons: Record<string, string> = {
  '25006': 'the database is read-only, as a standby is',
  '53100': diskFull,
};

/** Own messages, since those of the system contain the path. */
const fileReasons: Record<string, string> = {
  ENOSPC: 'the disk of DATA_DIR is full',
  EDQUOT: 'the quota of the disk of DATA_DIR is used up',
  EROFS: 'DATA_DIR is on a read-only file system',
  EACCES: 'the server has no right to write to DATA_DIR',
  EIO: 'the disk of DATA_DIR is broken',
};

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
