import {
  channelNames,
  channels,
  enqueuedJobs,
  ruleOf,
  type Audience,
  type Channel,
  type EnqueuedJob,
} from '@waybill/contract';

/** The jobs that notify each audience. Each channel has its own, so that it fails and is retried alone. */
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
export type NotifyingJob = `${(typeof audienceJobs)[Audience]}${(typeof channels)[Channel]['jobSuffix']}`;

export type JobName = NotifyingJob | EnqueuedJob | 'request-password-reset';

const jobFor = (audience: Audience, channel: Channel): NotifyingJob =>
  `${audienceJobs[audience]}${channels[channel].jobSuffix}`;

/** The audience and the channel of each notifying job. Both audiences of administrators share a job. */
export const notifying = Object.fromEntries(
  channelNames.flatMap((channel) =>
    audienceNames.map((audience) => [jobFor(audience, channel), { audience, channel }]),
  ),
) as Record<NotifyingJob, { audience: Audience; channel: Channel }>;
export const notifyingJobs = Object.keys(notifying) as NotifyingJob[];
export const isNotifying = (job: string): job is NotifyingJob => Object.hasOwn(notifying, job);

export const jobNames: readonly JobName[] = [
  ...new Set<JobName>([...notifyingJobs, ...enqueuedJobs(), 'request-password-reset']),
];

/** The jobs that an event enqueues. Each gets `{ eventId }` and must be idempotent: it may run more than once. */
export function jobsOf(type: string): JobName[] {
  const { notifies, enqueues = [] } = ruleOf(type) ?? {};
  const notify = (notifies?.to ?? []).flatMap((to) => channelNames.map((channel) => jobFor(to, channel)));
  return [...notify, ...(enqueues as EnqueuedJob[])];
}

/** The audience that a job notifies of an event. */
export const audienceOf = (job: NotifyingJob, type: string): Audience | undefined =>
  ruleOf(type)?.notifies?.to.find((to) => jobFor(to, notifying[job].channel) === job);
