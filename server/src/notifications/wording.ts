import type { Audience, EventType, TypesTold } from '@waybill/contract';
import type { EventToTell } from './queries.ts';

export type Words = (event: EventToTell) => { title: string; body: string };

const incidentResolved: Words = (event) => ({
  title: 'Issue resolved',
  body: `${incidentOf(event)} has been resolved${becauseOf(event)}.`,
});

/** What happened to an incident, as owners and administrators read it. */
const incidentWords = {
  'issue.reported': (event) => ({
    title: 'Issue reported',
    body: `${incidentOf(event)} has been opened: ${event.incident_type}.`,
  }),
  'incident.investigating': (event) => ({
    title: 'Issue under investigation',
    body: `${incidentOf(event)} is being investigated${becauseOf(event)}.`,
  }),
  'incident.resolved': incidentResolved,
  'incident.reopened': (event) => ({
    title: 'Issue reopened',
    body: `${incidentOf(event)} is being investigated again${becauseOf(event)}.`,
  }),
} satisfies Partial<Record<EventType, Words>>;
const incidentOf = ({ incident_number, package_name }: EventToTell) => `Incident ${incident_number} on ${package_name}`;
const becauseOf = ({ note }: EventToTell) => (note ? `: ${note}` : '');

/** What each audience reads, by the event's type. A name may be anything, a plural too: the verb goes with the package. */
export const wording: { [To in Audience]: Record<TypesTold<To>, Words> } = {
  owner: {
    'delivery.started': ({ package_name }) => ({
      title: 'Out for Delivery',
      body: `Your package “${package_name}” is on its way.`,
    }),
    'delivery.next': ({ package_name }) => ({
      title: 'Next stop',
      body: `Your package “${package_name}” is the driver's next stop.`,
    }),
    'delivery.completed': ({ package_name }) => ({
      title: 'Delivered',
      body: `Your package “${package_name}” has been delivered.`,
    }),
    'delivery.failed': (event) => ({
      title: 'Delivery attempt failed',
      body: `Your package “${event.package_name}” could not be delivered${becauseOf(event)}. It waits for another driver.`,
    }),
    'delivery.assigned': ({ package_name, previous_driver_id }) => ({
      title: 'Driver assigned',
      body: `Your package “${package_name}” has been given to ${previous_driver_id ? 'another' : 'a'} driver.`,
    }),
    'delivery.released': ({ package_name }) => ({
      title: 'Waiting for another driver',
      body: `Your package “${package_name}” was taken back from its driver and waits for another one.`,
    }),
    'delivery.stranded': ({ package_name }) => ({
      title: 'Driver no longer available',
      body: `The driver of your package “${package_name}” is no longer available. An administrator decides who brings it.`,
    }),
    'delivery.resumed': ({ package_name }) => ({
      title: 'Driver available again',
      body: `The driver of your package “${package_name}” is available again and goes on with it.`,
    }),
    'package.cancelled': ({ package_name }) => ({
      title: 'Cancelled',
      body: `Your package “${package_name}” has been cancelled.`,
    }),
    'package.deleted': ({ package_name }) => ({
      title: 'Deleted',
      body: `Your package “${package_name}” has been deleted.`,
    }),
    ...incidentWords,
  },
  admins: {
    ...incidentWords,
    'message.received': ({ message_number }) => ({
      title: 'New message',
      body: `Message ${message_number} has come in by the contact form.`,
    }),
  },
  accountAdmins: {
    // Without the name: that would outlive the account in everybody's notifications.
    'account.waiting': () => ({
      title: 'Account awaits approval',
      body: 'Somebody has registered and waits for approval. User Management shows who.',
    }),
    'password.reset-requested': () => ({
      title: 'Password forgotten',
      body: 'A user has asked for a new password. User Management shows who: hand them a link.',
    }),
  },
  reporter: { 'incident.resolved': incidentResolved },
  driver: {
    'delivery.assigned': ({ package_name }) => ({
      title: 'Delivery assigned',
      body: `The package “${package_name}” has been given to you to deliver.`,
    }),
    // Not the values: those outlive the recipient's data here, and stand on the delivery.
    'package.updated': ({ package_name, changes }) => ({
      title: 'Delivery changed',
      body: `The owner has changed ${joined(changedForDriver(changes))} of “${package_name}”.`,
    }),
    'package.rated': ({ package_name, note, rating_comment }) => ({
      title: 'New rating',
      body: `The delivery of “${package_name}” was rated ${note}${rating_comment ? `: ${rating_comment}` : ''}.`,
    }),
  },
  formerDriver: {
    'delivery.assigned': ({ package_name }) => ({
      title: 'Delivery given to another driver',
      body: `The package “${package_name}” has been given to another driver. It is no longer yours to deliver.`,
    }),
    'delivery.failed': (event) => ({
      title: 'Delivery taken from you',
      body: `An administrator has ended your delivery of “${event.package_name}” as failed${becauseOf(event)}. It is no longer yours to deliver.`,
    }),
    'delivery.released': ({ package_name }) => ({
      title: 'Delivery taken from you',
      body: `An administrator has taken back the package “${package_name}”. It is no longer yours to deliver.`,
    }),
  },
  account: {
    'session.unfamiliar': () => ({
      title: 'New sign-in',
      body: 'Your account was signed in to from an address where it was not before. If that was not you, change your password.',
    }),
    'password.changed': () => ({
      title: 'Password changed',
      body: 'Your account has a new password. If that was not you, ask an administrator for a link.',
    }),
    'second-factor.enabled': () => ({
      title: 'Second factor turned on',
      body: 'Signing in to your account asks for a code from now on.',
    }),
    'second-factor.removed': ({ actor_id, user_id }) => ({
      title: actor_id === user_id ? 'Second factor turned off' : 'Second factor removed',
      body:
        actor_id === user_id
          ? 'The password alone signs in to your account now.'
          : 'An administrator has removed the second factor of your account: the password alone signs in now.',
    }),
    'recovery-codes.made': () => ({
      title: 'New recovery codes',
      body: 'Your account has new recovery codes, and the old ones work no longer.',
    }),
    // Nobody by name: that would outlive the account of whoever did it.
    'password.link-made': () => ({
      title: 'Link for a new password',
      body: 'An administrator has made a link that sets a new password for your account. If you did not ask for one, tell another administrator.',
    }),
    'rights.changed': ({ changes }) => ({
      title: 'Your account was changed',
      body: `An administrator has changed ${changedParts(changes ?? {})} of your account.`,
    }),
    'sessions.ended': () => ({
      title: 'Signed out',
      body: 'An administrator has ended sessions of your account.',
    }),
    'sessions.displaced': () => ({
      title: 'Signed out',
      body: 'Your account is signed in at more places than it may be. The one that was not used for longest has been signed out.',
    }),
  },
};

const driversWords: Record<string, string> = {
  recipientContact: 'the contact',
  window: 'the preferred time',
  instructions: 'the instructions',
};
export const changedForDriver = (changes: object | null): string[] =>
  Object.entries(driversWords).flatMap(([field, words]) => (changes && field in changes ? words : []));
const joined = (parts: string[]): string => new Intl.ListFormat('en-GB').format(parts);

const partNames: Record<string, string> = { name: 'the name', role: 'the role', status: 'the status' };

/** 'the role and the rights': own list and custom role are both rights to whoever has them. */
const changedParts = (changes: object): string =>
  [...new Set(Object.keys(changes).map((field) => partNames[field] ?? 'the rights'))].join(' and ') || 'the rights';

/** What administrators read in place of the last one of a day, of what strangers can cause as often as they like. */
export const floods: Partial<Record<EventType, { title: string; body: string }>> = {
  'message.received': {
    title: 'Many new messages',
    body: 'So many messages have come in today that you are not told of each. The list of messages has all of them.',
  },
  'account.waiting': {
    title: 'Many accounts await approval',
    body: 'So many people have registered today that you are not told of each. User Management shows who waits.',
  },
  'password.reset-requested': {
    title: 'Many passwords forgotten',
    body: 'So many users have asked for a new password today that you are not told of each. User Management shows who.',
  },
};
