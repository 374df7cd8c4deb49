import {
  notifyingJobs,
  type HeldNextStop,
  type JobName,
  type NotifyingJob,
  type ToldEvents,
} from './events/event-jobs.ts';
import type { Ctx } from './ctx.ts';
import { chainProofs } from './deliveries/proof-chain.ts';
import { redactDeletedUser } from './privacy/erasure.ts';
import { tellRecipients } from './notifications/recipient-messages.ts';
import { storeFailedAttempt, notify, type NotificationJob } from './notifications/service.ts';
import { cancelPackagesOfDeletedUser } from './packages/cancel-and-delete.ts';
import { markHeldNextStop } from './packages/next-stop.ts';
import type { Origin } from './platform/origin/request-origin.ts';
import type { JobHandler, JobRun } from './platform/database/queue.ts';
import { moveWithdrawn } from './images/service.ts';
import { measureRoutes } from './routes/drive.ts';
import { endShiftsOfDeletedUser } from './shifts/service.ts';
import { requestPasswordReset } from './users/password-resets.ts';

/** All background jobs by name. Delivery is at least once, so every job must be idempotent. */
export const jobs = (
  ctx: Pick<Ctx, 'config' | 'db' | 'now' | 'settings' | 'storage' | 'log' | 'urlKey' | 'travel'>,
): Record<JobName, JobHandler> => ({
  ...notifying(ctx),
  'tell-recipients': each((payload) => tellEach(ctx, toldEventsOf(payload))),
  'request-password-reset': each((payload) => requestPasswordReset(ctx, userIdOf(payload), originIn(payload))),
  'mark-next-stop': each((payload) => markHeldNextStop(ctx, heldNextStopOf(payload))),
  'cancel-packages': each((payload) => cancelPackagesOfDeletedUser(ctx, eventIdOf(payload))),
  'erase-words': each((payload) => redactDeletedUser(ctx, eventIdOf(payload))),
  'end-shifts': each((payload) => endShiftsOfDeletedUser(ctx, eventIdOf(payload))),
  // These do everything that is due, regardless of the event.
  'measure-routes': async () => measureRoutes(ctx),
  'chain-proofs': async () => chainProofs(ctx.db),
  'move-images': async () => void (await moveWithdrawn(ctx)),
});

type NotifyingCtx = Pick<Ctx, 'config' | 'db' | 'now' | 'settings' | 'log'>;

const notifying = (ctx: NotifyingCtx) =>
  Object.fromEntries(notifyingJobs.map((name) => [name, notifyingJob(ctx, name)])) as Record<NotifyingJob, JobHandler>;

const notifyingJob =
  (ctx: NotifyingCtx, name: NotifyingJob): JobHandler =>
  async (runs) => {
    try {
      await notify(ctx, name, runs.map(asNotificationJob));
    } catch (error) {
      const [run, ...more] = runs;
      if (run && more.length === 0) await storeFailedAttempt(ctx, run, error);
      throw error;
    }
  };

/** An event that cannot be told must not hold up the others of its job, which fails nevertheless. */
async function tellEach(ctx: NotifyingCtx, events: ToldEvents): Promise<void> {
  const { eventIds } = events;
  try {
    await tellRecipients(ctx, events);
  } catch (error) {
    if (eventIds.length === 1) throw error;
    const told = await Promise.allSettled(
      Array.from({ length: 2 }, (_, half) => {
        const middle = Math.ceil(eventIds.length / 2);
        const part = half === 0 ? eventIds.slice(0, middle) : eventIds.slice(middle);
        return tellEach(ctx, { ...events, eventIds: part });
      }),
    );
    const failed = told.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
  }
}

const each =
  (work: (payload: object) => Promise<void>): JobHandler =>
  async (runs) => {
    for (const { payload } of runs) await work(payload);
  };

const asNotificationJob = ({ id, payload, attempt }: JobRun): NotificationJob => ({
  id,
  eventId: eventIdOf(payload),
  packageId: 'packageId' in payload ? (payload.packageId as string | null) : undefined,
  attempts: attempt,
});

function userIdOf(payload: object): string | null {
  if ('userId' in payload && (typeof payload.userId === 'string' || payload.userId === null)) return payload.userId;
  throw new Error('the job has no userId');
}

function heldNextStopOf(payload: object): HeldNextStop {
  if ('routeId' in payload && typeof payload.routeId === 'string') return payload as HeldNextStop;
  throw new Error('the job has no routeId');
}

function eventIdOf(payload: object): string {
  if ('eventId' in payload && typeof payload.eventId === 'string') return payload.eventId;
  throw new Error('the job has no eventId');
}

function toldEventsOf(payload: object): ToldEvents {
  if ('eventIds' in payload && Array.isArray(payload.eventIds)) return payload as ToldEvents;
  throw new Error('the job has no eventIds');
}

/** Null for jobs that an older version enqueued. */
const originIn = (payload: object): Origin | null => ('origin' in payload ? (payload.origin as Origin | null) : null);
