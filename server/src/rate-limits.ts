/**
 * Every rate limit by name: `points` per `duration` in seconds; the threats are in docs/security.md (defences 5 and 6). Callers choose the
 * key: account, IP address or both. Those of the tracker and of images are held in memory and divided among the workers
 * (tracking/lookup-limits.ts, images/guess-limits.ts), the others in PostgreSQL.
 */
export const rateLimits = {
  login: { points: 20, duration: 60 },
  loginFailure: { points: 5, duration: 900 },
  accountFailure: { points: 20, duration: 3600 },
  addressFailure: { points: 60, duration: 3600 },
  register: { points: 5, duration: 3600 },
  forgot: { points: 5, duration: 3600 },
  reset: { points: 20, duration: 3600 },
  invitation: { points: 60, duration: 3600 },
  contact: { points: 5, duration: 3600 },
  trackMiss: { points: 30, duration: 60 },
  trackMissInAll: { points: 20, duration: 1 },
  pictureMiss: { points: 120, duration: 60 },
  packageMessage: { points: 5, duration: 3600 },
  packageMessageInAll: { points: 10, duration: 86_400 },
  recipientKey: { points: 10, duration: 3600 },
  recipientKeyInAll: { points: 100, duration: 3600 },
  recipientChange: { points: 30, duration: 3600 },
  callbackFailure: { points: 60, duration: 60 },
  contactInAll: { points: 100, duration: 3600 },
  write: { points: 120, duration: 60 },
  anonymousWrite: { points: 60, duration: 60 },
  create: { points: 60, duration: 60 },
  importRows: { points: 50_000, duration: 3600 },
  previewRows: { points: 100_000, duration: 3600 },
  keys: { points: 10_000, duration: 86_400 },
  bulkChanges: { points: 5000, duration: 3600 },
  labels: { points: 2000, duration: 60 },
  places: { points: 240, duration: 60 },
  positions: { points: 60, duration: 60 },
  exports: { points: 10, duration: 3600 },
  persons: { points: 120, duration: 3600 },
  testMail: { points: 30, duration: 3600 },
  claim: { points: 60, duration: 60 },
  optimize: { points: 30, duration: 60 },
  signOut: { points: 60, duration: 60 },
  upload: { points: 20, duration: 60 },
} as const;
export type RateLimit = keyof typeof rateLimits;

/** Removed limits, still accepted in RATE_LIMITS for compatibility. Hits of the tracker are no longer limited. */
export const retiredRateLimits = ['trackHit'];
