import { enqueuedJobs, ruleOf, type Audience, type EnqueuedJob } from '@waybill/contract';

/** The job that notifies each audience. */
const jobOfAudience = {
  owner: 'notify-owner',
  driver: 'notify-driver',
  formerDriver: 'notify-former-driver',
  admins: 'notify-admins',
  accountAdmins: 'notify-admins',
  reporter: 'notify-reporter',
  account: 'notify-account',
} as const satisfies Record<Audience, string>;
export type NotifyingJob = (typeof jobOfAudience)[Audience];

export type JobName = NotifyingJob | EnqueuedJob | 'request-password-reset';

export const notifyingJobs: readonly NotifyingJob[] = [...new Set(Object.values(jobOfAudience))];
export const isNotifying = (job: string): job is NotifyingJob => (notifyingJobs as readonly string[]).includes(job);
export const jobNames: readonly JobName[] = [
  ...new Set<JobName>([...notifyingJobs, ...enqueuedJobs(), 'request-password-reset']),
];

/** The jobs that an event enqueues. Each gets `{ eventId }` and must be idempotent: it may run more than once. */
export function jobsOf(type: string): JobName[] {
  const { notifies, enqueues = [] } = ruleOf(type) ?? {};
  return [...(notifies?.to ?? []).map((to) => jobOfAudience[to]), ...(enqueues as EnqueuedJob[])];
}

/** The audience that a job notifies of an event. */
export const audienceOf = (job: NotifyingJob, type: string): Audience | undefined =>
  ruleOf(type)?.notifies?.to.find((to) => jobOfAudience[to] === job);
