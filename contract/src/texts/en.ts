import type { Audience, TypesNotifying } from '../event-rules.ts';

// The texts in English, which every translation follows. A language is a file beside this one, named by its code. `{name}` is a
// placeholder, which a translation keeps.

interface Message {
  title: string;
  body: string;
}

/** Suffixes of the keys of templates. `again`: there was another driver before. `many`: the last one of a day. `themselves`: the reader did it. */
type Variant = 'again' | 'many' | 'themselves';

type Templates = {
  [To in Audience]: { [Type in TypesNotifying<To>]: Message } & {
    [Type in TypesNotifying<To> as `${Type}/${Variant}`]?: Message;
  };
};

const incidents = {
  'issue.reported': {
    title: 'Issue reported',
    body: 'Incident {incidentNumber} on {packageName} has been opened: {incidentType}.',
  },
  'incident.investigating': {
    title: 'Issue under investigation',
    body: 'Incident {incidentNumber} on {packageName} is being investigated{reason}.',
  },
  'incident.resolved': {
    title: 'Issue resolved',
    body: 'Incident {incidentNumber} on {packageName} has been resolved{reason}.',
  },
  'incident.reopened': {
    title: 'Issue reopened',
    body: 'Incident {incidentNumber} on {packageName} is being investigated again{reason}.',
  },
};

export const texts = {
  /** The language, as its speakers call it. */
  language: 'English',
  /** For Intl. */
  locale: 'en-GB',
  notifications: {
    /** By audience and event type. The subject is “package”, as a name may be a plural. */
    templates: {
      owner: {
        'delivery.started': { title: 'Out for Delivery', body: 'Your package “{packageName}” is on its way.' },
        'delivery.next': { title: 'Next stop', body: "Your package “{packageName}” is the driver's next stop." },
        'delivery.completed': { title: 'Delivered', body: 'Your package “{packageName}” has been delivered.' },
        'delivery.failed': {
          title: 'Delivery attempt failed',
          body: 'Your package “{packageName}” could not be delivered{reason}. It waits for another driver.',
        },
        'delivery.assigned': {
          title: 'Driver assigned',
          body: 'Your package “{packageName}” has been given to a driver.',
        },
        'delivery.assigned/again': {
          title: 'Driver assigned',
          body: 'Your package “{packageName}” has been given to another driver.',
        },
        'delivery.released': {
          title: 'Waiting for another driver',
          body: 'Your package “{packageName}” was taken back from its driver and waits for another one.',
        },
        'delivery.stranded': {
          title: 'Driver no longer available',
          body: 'The driver of your package “{packageName}” is no longer available. An administrator decides who brings it.',
        },
        'delivery.resumed': {
          title: 'Driver available again',
          body: 'The driver of your package “{packageName}” is available again and goes on with it.',
        },
        'package.cancelled': { title: 'Cancelled', body: 'Your package “{packageName}” has been cancelled.' },
        'package.deleted': { title: 'Deleted', body: 'Your package “{packageName}” has been deleted.' },
        ...incidents,
      },
      admins: {
        ...incidents,
        'message.received': { title: 'New message', body: 'Message {messageNumber} has come in by the contact form.' },
        'message.received/many': {
          title: 'Many new messages',
          body: 'So many messages have come in today that you are not told of each. The list of messages has all of them.',
        },
      },
      accountAdmins: {
        // Without the name: it would remain in all administrators' notifications after the account is erased.
        'account.waiting': {
          title: 'Account awaits approval',
          body: 'Somebody has registered and waits for approval. User Management shows who.',
        },
        'account.waiting/many': {
          title: 'Many accounts await approval',
          body: 'So many people have registered today that you are not told of each. User Management shows who waits.',
        },
        'password.reset-requested': {
          title: 'Password forgotten',
          body: 'A user has asked for a new password. User Management shows who: hand them a link.',
        },
        'password.reset-requested/many': {
          title: 'Many passwords forgotten',
          body: 'So many users have asked for a new password today that you are not told of each. User Management shows who.',
        },
      },
      reporter: { 'incident.resolved': incidents['incident.resolved'] },
      driver: {
        'delivery.assigned': {
          title: 'Delivery assigned',
          body: 'The package “{packageName}” has been given to you to deliver.',
        },
        // Without the values: they would outlive the recipient's data, and the delivery shows them.
        'package.updated': {
          title: 'Delivery changed',
          body: 'The owner has changed {changedFields} of “{packageName}”.',
        },
        'package.rated': {
          title: 'New rating',
          body: 'The delivery of “{packageName}” was rated {stars} of 5 stars{reason}.',
        },
      },
      formerDriver: {
        'delivery.assigned': {
          title: 'Delivery given to another driver',
          body: 'The package “{packageName}” has been given to another driver. It is no longer yours to deliver.',
        },
        'delivery.failed': {
          title: 'Delivery taken from you',
          body: 'An administrator has ended your delivery of “{packageName}” as failed{reason}. It is no longer yours to deliver.',
        },
        'delivery.released': {
          title: 'Delivery taken from you',
          body: 'An administrator has taken back the package “{packageName}”. It is no longer yours to deliver.',
        },
      },
      account: {
        'session.unfamiliar': {
          title: 'New sign-in',
          body: 'Your account was signed in to from an address where it was not before. If that was not you, change your password.',
        },
        'password.changed': {
          title: 'Password changed',
          body: 'Your account has a new password. If that was not you, ask an administrator for a link.',
        },
        'second-factor.enabled': {
          title: 'Second factor turned on',
          body: 'Signing in to your account asks for a code from now on.',
        },
        'second-factor.removed': {
          title: 'Second factor removed',
          body: 'An administrator has removed the second factor of your account: the password alone signs in now.',
        },
        'second-factor.removed/themselves': {
          title: 'Second factor turned off',
          body: 'The password alone signs in to your account now.',
        },
        'recovery-codes.made': {
          title: 'New recovery codes',
          body: 'Your account has new recovery codes, and the old ones work no longer.',
        },
        // Without the administrator's name: it would remain here after their account is erased.
        'password.link-made': {
          title: 'Link for a new password',
          body: 'An administrator has made a link that sets a new password for your account. If you did not ask for one, tell another administrator.',
        },
        'rights.changed': {
          title: 'Your account was changed',
          body: 'An administrator has changed {changedParts} of your account.',
        },
        'sessions.ended': { title: 'Signed out', body: 'An administrator has ended sessions of your account.' },
        'sessions.displaced': {
          title: 'Signed out',
          body: 'Your account is signed in at more places than it may be. The one that was not used for longest has been signed out.',
        },
      },
    } satisfies Templates,
    /** Instead of the body, to a reader who has lost the rights for it. */
    noLongerVisible: 'You can no longer see what this was about.',
    /** `{reason}` of a body, if one was given. */
    reason: ': {note}',
    /** The fields of `{changedFields}`. */
    changedFields: { recipientContact: 'the contact', window: 'the preferred time', instructions: 'the instructions' },
    /** The parts of `{changedParts}`. */
    changedParts: { name: 'the name', role: 'the role', status: 'the status', rights: 'the rights' },
  },
};

/** Every text, by area and key. Each language has all of them. */
export type Texts = typeof texts;
