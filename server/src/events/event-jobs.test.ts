import { audiences, type Audience } from '@waybill/contract';
import { expect, test } from 'vitest';
import { audienceOf, jobsOf, notifying, notifyingJobs } from './event-jobs.ts';

// Other channels have no jobs: the job that notifies in the app queues their messages.
test('each audience with accounts has a notifying job of its own; those of administrators and dispatchers share one', () => {
  const forAudiences = (Object.keys(audiences) as Audience[]).filter(
    (to) => !['admins', 'dispatchers', 'recipient'].includes(to),
  );
  const pairs = forAudiences.map((audience) => ({ audience, channel: 'in-app' }));
  expect(notifyingJobs.map((job) => notifying[job])).toHaveLength(pairs.length);
  expect(notifyingJobs.map((job) => notifying[job])).toEqual(expect.arrayContaining(pairs));
});

test('in-app jobs keep their names, so that jobs of older servers run', () => {
  expect(notifyingJobs).toEqual(
    expect.arrayContaining([
      'notify-owner',
      'notify-driver',
      'notify-former-driver',
      'notify-admins',
      'notify-reporter',
      'notify-account',
    ]),
  );
  expect(jobsOf('delivery.started')).toContain('notify-owner');
  expect(audienceOf('notify-admins', 'message.received')).toBe('admins');
  expect(audienceOf('notify-admins', 'account.waiting')).toBe('accountAdmins');
  expect(audienceOf('notify-admins', 'absence.reported')).toBe('dispatchers');
  expect(audienceOf('notify-driver', 'delivery.started')).toBeUndefined();
});
