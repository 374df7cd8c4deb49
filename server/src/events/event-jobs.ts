import { enqueuedJobs, ruleOf, type Audience, type EnqueuedJob } from '@waybill/contract';

/** Recipients have no account, and no notifications in the app: see `tellRecipients`. */
export type AccountAudience = Exclude<Audience, 'recipient'>;

/** The jobs that notify each audience: in the app at once; messages by other channels are queued, and sent outside of any job. */
const audienceJobs = {
  owner: 'notify-owner',
  driver: 'notify-driver',
  formerDriver: 'notify-former-driver',
  admins: 'notify-admins',
  dispatchers: 'notify-admins',
  accountAdmins: 'notify-admins',
  reporter: 'notify-reporter',
  account: 'notify-account',
} as const satisfies Record<AccountAudience, string>;
const audienceNames = Object.keys(audienceJobs) as AccountAudience[];
export type NotifyingJob = (typeof audienceJobs)[AccountAudience];

export type JobName = NotifyingJob | EnqueuedJob | typeof tellRecipients | typeof markNext | 'request-password-reset';

/** Queues the messages to the recipients of packages about some events: one job for many packages, as a route that starts has. */
export const tellRecipients = 'tell-recipients';
/** The events of one such job: as many as an import commits at once. */
export const toldTogether = 250;

/** The audience of each notifying job, and the channel of the deliveries that it writes. Both audiences of administrators share a job. */
export const notifying = Object.fromEntries(
  audienceNames.map((audience) => [audienceJobs[audience], { audience, channel: 'in-app' }]),
) as Record<NotifyingJob, { audience: AccountAudience; channel: 'in-app' }>;
export const notifyingJobs = Object.keys(notifying) as NotifyingJob[];
export const isNotifying = (job: string): job is NotifyingJob => Object.hasOwn(notifying, job);

/** Marks the next stop of a route, which another transaction had when the stop before it ended. */
export const markNext = 'mark-next-stop';
export interface HeldNextStop {
  routeId: string;
  actorId: string | null;
}

export const jobNames: readonly JobName[] = [
  ...new Set<JobName>([...notifyingJobs, ...enqueuedJobs(), tellRecipients, markNext, 'request-password-reset']),
];

/** Whether the recipient of its package is told of an event, if there is an address. */
export const tellsRecipient = (type: string): boolean => ruleOf(type)?.notifies?.to.includes('recipient') === true;

export interface EventOfPackage {
  id: string;
  packageId: string;
}

/** The events of a job of `tellRecipients`. Jobs of older servers do not name the packages. */
export interface ToldEvents {
  eventIds: string[];
  packageIds?: string[];
}

/** The jobs of `tellRecipients` for these events. */
export const tellingJobs = (events: EventOfPackage[]): { name: JobName; payload: Required<ToldEvents> }[] =>
  Array.from({ length: Math.ceil(events.length / toldTogether) }, (_, index) => {
    const told = events.slice(index * toldTogether, (index + 1) * toldTogether);
    return {
      name: tellRecipients,
      payload: { eventIds: told.map(({ id }) => id), packageIds: told.map(({ packageId }) => packageId) },
    };
  });

/** The jobs that an event enqueues, but for that of recipients. Each gets `{ eventId, packageId }` and must be idempotent: it may run more than once. */
export function jobsOf(type: string): JobName[] {
  const { notifies, enqueues = [] } = ruleOf(type) ?? {};
  const jobs = (notifies?.to ?? []).flatMap((to) => (to === 'recipient' ? [] : audienceJobs[to]));
  return [...jobs, ...(enqueues as EnqueuedJob[])];
}

/** The audience that a job notifies of an event. */
export const audienceOf = (job: NotifyingJob, type: string): AccountAudience | undefined =>
  audienceNames.find((to) => audienceJobs[to] === job && ruleOf(type)?.notifies?.to.includes(to));
