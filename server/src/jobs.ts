import type { JobName } from './events/reactions.ts';
import type { Ctx } from './ctx.ts';
import { eraseWordsOfDeletedUser } from './erasure.ts';
import { notifyAdmins, notifyDriver, notifyOwner, notifyReporter } from './notifications/service.ts';
import { cancelPackagesOfDeletedUser } from './packages/service.ts';
import type { Job } from './platform/queue.ts';
import { endShiftsOfDeletedUser } from './shifts/service.ts';
import { requestPasswordReset } from './users/resets.ts';

/** All background work by name. A job may run more than once and must not mind. */
export const jobs = (ctx: Pick<Ctx, 'db' | 'now'>): Record<JobName, Job> => ({
  'notify-owner': (payload, attempt) => notifyOwner(ctx, eventIdOf(payload), attempt),
  'notify-driver': (payload, attempt) => notifyDriver(ctx, eventIdOf(payload), attempt),
  'notify-admins': (payload, attempt) => notifyAdmins(ctx, eventIdOf(payload), attempt),
  'notify-reporter': (payload, attempt) => notifyReporter(ctx, eventIdOf(payload), attempt),
  'request-password-reset': (payload) => requestPasswordReset(ctx, userIdOf(payload)),
  'cancel-packages': (payload) => cancelPackagesOfDeletedUser(ctx, eventIdOf(payload)),
  'erase-words': (payload) => eraseWordsOfDeletedUser(ctx, eventIdOf(payload)),
  'end-shifts': (payload) => endShiftsOfDeletedUser(ctx, eventIdOf(payload)),
});

function userIdOf(payload: object): string | null {
  if ('userId' in payload && (typeof payload.userId === 'string' || payload.userId === null)) return payload.userId;
  throw new Error('the job has no userId');
}

function eventIdOf(payload: object): string {
  if ('eventId' in payload && typeof payload.eventId === 'string') return payload.eventId;
  throw new Error('the job has no eventId');
}
