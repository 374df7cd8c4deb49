import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { EventFeed } from './events/outbox.ts';
import type { Optimizer } from './optimizer/threads.ts';
import type { Db, Queryable } from './platform/database/db.ts';
import type { LongRunning } from './platform/database/cursors-and-locks.ts';
import type { RateLimits } from './platform/load/rate-limits.ts';
import type { PushKeys } from './notifications/push-crypto.ts';
import type { Sessions } from './platform/auth/sessions.ts';
import type { RateLimit } from './rate-limits.ts';
import type { Storage } from './platform/storage/storage.ts';
import type { SettingsReader } from './settings/effective-settings.ts';
import type { AllTimeSumsCache } from './stats/all-time-sums.ts';
import type { BreakdownSums } from './stats/breakdown-sums.ts';
import type { Travel } from './travel/travel.ts';

/** The dependencies of services. One per process; a request with an Idempotency-Key gets a separate `db`. */
export interface Ctx {
  config: Config;
  db: Db;
  /** For reads that a replica may answer: never stale, but outside of any transaction. */
  reads: Queryable;
  feed: EventFeed;
  longRunning: LongRunning;
  sessions: Sessions;
  /** Settings that administrators or the environment set; `config` has those that only the environment can set. */
  settings: SettingsReader;
  rateLimits: RateLimits<RateLimit>;
  storage: Storage;
  allTimeSums: AllTimeSumsCache;
  breakdownSums: BreakdownSums;
  /** Puts stops in order, in threads of this process. */
  optimizer: Optimizer;
  /** Distances and driving times. */
  travel: Travel;
  /** Plans that wait for their turn are looked for at once, if this process solves them. */
  wakePlanner(): void;
  /** The same for extracts that wait to be imported. */
  wakeMapImporter(): void;
  /** The key that signs the URLs of uploads and private images. */
  urlKey: Buffer;
  /** By which push services know this installation. */
  pushKeys: PushKeys;
  log: Logger;
  /** The product's clock, which tests can move. Expiries use the database's clock instead. */
  now(): Date;
}
