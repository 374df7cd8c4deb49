import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { EventFeed } from './events/outbox.ts';
import type { Db } from './platform/database/db.ts';
import type { LongRunning } from './platform/database/cursors-and-locks.ts';
import type { RateLimits } from './platform/load/rate-limits.ts';
import type { Sessions } from './platform/auth/sessions.ts';
import type { RateLimit } from './rate-limits.ts';
import type { Storage } from './platform/storage/storage.ts';
import type { SettingsReader } from './settings/effective-settings.ts';

/** What a service works with. One per process; a request with an Idempotency-Key gets its own `db`. */
export interface Ctx {
  config: Config;
  db: Db;
  feed: EventFeed;
  longRunning: LongRunning;
  sessions: Sessions;
  /** What administrators and the environment have set; `config` has what only the environment can. */
  settings: SettingsReader;
  rateLimits: RateLimits<RateLimit>;
  storage: Storage;
  /** Signs the addresses of uploads and of private images. */
  urlKey: Buffer;
  log: Logger;
  /** The product's clock; tests move it. Expiries use the database's instead. */
  now(): Date;
}
