import { enqueuedJobs, ruleOf, type Audience, type EnqueuedJob } from '@waybill/contract';

/** The jobs that notify each audience: in the app at once; messages by other channels are queued, and sent outside of any job. */
const audienceJobs = {
  owner: 'notify-owner',
  driver: 'notify-driver',
  formerDriver: 'notify-former-driver',
  admins: 'notify-admins',
  accountAdmins: 'notify-admins',
  reporter: 'notify-reporter',
  account: 'notify-account',
} as const satisfies Record<Audience, string>;
const audienceNames = Object.keys(audienceJobs) as Audience[];
export type NotifyingJob = (typeof audienceJobs)[Audience];

export type JobName = NotifyingJob | EnqueuedJob | 'request-password-reset';

/** The audience of each notifying job, and the channel of the deliveries that it writes. Both audiences of administrators share a job. */
export const notifying = Object.fromEntries(
  audienceNames.map((audience) => [audienceJobs[audience], { audience, channel: 'in-app' }]),
) as Record<NotifyingJob, { audience: Audience; channel: 'in-app' }>;
export const notifyingJobs = Object.keys(notifying) as NotifyingJob[];
export const isNotifying = (job: string): job is NotifyingJob => Object.hasOwn(notifying, job);

export const jobNames: readonly JobName[] = [
  ...new Set<JobName>([...notifyingJobs, ...enqueuedJobs(), 'request-password-reset']),
];

/** The jobs that an event enqueues. Each gets `{ eventId }` and must be idempotent: it may run more than once. */
export function jobsOf(type: string): JobName[] {
  const { notifies, enqueues = [] } = ruleOf(type) ?? {};
  return [...(notifies?.to ?? []).map((to) => audienceJobs[to]), ...(enqueues as EnqueuedJob[])];
}

/** The audience that a job notifies of an event. */
export const audienceOf = (job: NotifyingJob, type: string): Audience | undefined =>
  ruleOf(type)?.notifies?.to.find((to) => audienceJobs[to] === job);
