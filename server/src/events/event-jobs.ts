import { enqueuedJobs, ruleOf, type Audience, type EnqueuedJob } from '@waybill/contract';

/** Who tells whom. */
const notifying = {
  owner: 'notify-owner',
  driver: 'notify-driver',
  formerDriver: 'notify-former-driver',
  admins: 'notify-admins',
  accountAdmins: 'notify-admins',
  reporter: 'notify-reporter',
  account: 'notify-account',
} as const satisfies Record<Audience, string>;
export type NotifyingJob = (typeof notifying)[Audience];

export type JobName = NotifyingJob | EnqueuedJob | 'request-password-reset';

export const notifyingJobs: readonly NotifyingJob[] = [...new Set(Object.values(notifying))];
export const isNotifying = (job: string): job is NotifyingJob => (notifyingJobs as readonly string[]).includes(job);
export const jobNames: readonly JobName[] = [
  ...new Set<JobName>([...notifyingJobs, ...enqueuedJobs(), 'request-password-reset']),
];

/** The jobs that an event causes. Each gets `{ eventId }` and may run more than once. */
export function jobsOf(type: string): JobName[] {
  const { notifies, enqueues = [] } = ruleOf(type) ?? {};
  return [...(notifies?.to ?? []).map((to) => notifying[to]), ...(enqueues as EnqueuedJob[])];
}

/** Whom a job tells of an event. */
export const audienceOf = (job: NotifyingJob, type: string): Audience | undefined =>
  ruleOf(type)?.notifies?.to.find((to) => notifying[to] === job);
