import type { Audience, EventType, NotificationParameters, ParametersOf, TypesNotifying } from '@waybill/contract';

export interface RenderedText {
  title: string;
  body: string;
}
type Template<Type extends EventType> = (parameters: ParametersOf<Type>) => RenderedText;

const incidentResolved: Template<'incident.resolved'> = (incident) => ({
  title: 'Issue resolved',
  body: `${incidentLabel(incident)} has been resolved${reasonSuffix(incident)}.`,
});

/** The incident templates that owners and administrators share. */
const incidentTemplates = {
  'issue.reported': (incident) => ({
    title: 'Issue reported',
    body: `${incidentLabel(incident)} has been opened: ${incident.incidentType}.`,
  }),
  'incident.investigating': (incident) => ({
    title: 'Issue under investigation',
    body: `${incidentLabel(incident)} is being investigated${reasonSuffix(incident)}.`,
  }),
  'incident.resolved': incidentResolved,
  'incident.reopened': (incident) => ({
    title: 'Issue reopened',
    body: `${incidentLabel(incident)} is being investigated again${reasonSuffix(incident)}.`,
  }),
} satisfies { [Type in EventType]?: Template<Type> };
const incidentLabel = ({
  incidentNumber,
  packageName,
}: Pick<NotificationParameters, 'incidentNumber' | 'packageName'>) => `Incident ${incidentNumber} on ${packageName}`;
const reasonSuffix = ({ note }: Pick<NotificationParameters, 'note'>) => (note ? `: ${note}` : '');

/** The templates of each audience, by event type. The subject is “package”, as a package's name may be a plural. */
export const templates: { [To in Audience]: { [Type in TypesNotifying<To>]: Template<Type> } } = {
  owner: {
    'delivery.started': ({ packageName }) => ({
      title: 'Out for Delivery',
      body: `Your package “${packageName}” is on its way.`,
    }),
    'delivery.next': ({ packageName }) => ({
      title: 'Next stop',
      body: `Your package “${packageName}” is the driver's next stop.`,
    }),
    'delivery.completed': ({ packageName }) => ({
      title: 'Delivered',
      body: `Your package “${packageName}” has been delivered.`,
    }),
    'delivery.failed': ({ packageName, note }) => ({
      title: 'Delivery attempt failed',
      body: `Your package “${packageName}” could not be delivered${reasonSuffix({ note })}. It waits for another driver.`,
    }),
    'delivery.assigned': ({ packageName, hadDriver }) => ({
      title: 'Driver assigned',
      body: `Your package “${packageName}” has been given to ${hadDriver ? 'another' : 'a'} driver.`,
    }),
    'delivery.released': ({ packageName }) => ({
      title: 'Waiting for another driver',
      body: `Your package “${packageName}” was taken back from its driver and waits for another one.`,
    }),
    'delivery.stranded': ({ packageName }) => ({
      title: 'Driver no longer available',
      body: `The driver of your package “${packageName}” is no longer available. An administrator decides who brings it.`,
    }),
    'delivery.resumed': ({ packageName }) => ({
      title: 'Driver available again',
      body: `The driver of your package “${packageName}” is available again and goes on with it.`,
    }),
    'package.cancelled': ({ packageName }) => ({
      title: 'Cancelled',
      body: `Your package “${packageName}” has been cancelled.`,
    }),
    'package.deleted': ({ packageName }) => ({
      title: 'Deleted',
      body: `Your package “${packageName}” has been deleted.`,
    }),
    ...incidentTemplates,
  },
  admins: {
    ...incidentTemplates,
    'message.received': ({ messageNumber, isLastOfDay }) =>
      isLastOfDay
        ? {
            title: 'Many new messages',
            body: 'So many messages have come in today that you are not told of each. The list of messages has all of them.',
          }
        : { title: 'New message', body: `Message ${messageNumber} has come in by the contact form.` },
  },
  accountAdmins: {
    // Without the name: it would remain in all administrators' notifications after the account is erased.
    'account.waiting': ({ isLastOfDay }) =>
      isLastOfDay
        ? {
            title: 'Many accounts await approval',
            body: 'So many people have registered today that you are not told of each. User Management shows who waits.',
          }
        : {
            title: 'Account awaits approval',
            body: 'Somebody has registered and waits for approval. User Management shows who.',
          },
    'password.reset-requested': ({ isLastOfDay }) =>
      isLastOfDay
        ? {
            title: 'Many passwords forgotten',
            body: 'So many users have asked for a new password today that you are not told of each. User Management shows who.',
          }
        : {
            title: 'Password forgotten',
            body: 'A user has asked for a new password. User Management shows who: hand them a link.',
          },
  },
  reporter: { 'incident.resolved': incidentResolved },
  driver: {
    'delivery.assigned': ({ packageName }) => ({
      title: 'Delivery assigned',
      body: `The package “${packageName}” has been given to you to deliver.`,
    }),
    // Without the values: they would outlive the recipient's data, and the delivery shows them.
    'package.updated': ({ packageName, changedFields }) => ({
      title: 'Delivery changed',
      body: `The owner has changed ${listed(changedFields.map((field) => fieldNames[field]))} of “${packageName}”.`,
    }),
    'package.rated': ({ packageName, stars, comment }) => ({
      title: 'New rating',
      body: `The delivery of “${packageName}” was rated ${stars} of 5 stars${comment ? `: ${comment}` : ''}.`,
    }),
  },
  formerDriver: {
    'delivery.assigned': ({ packageName }) => ({
      title: 'Delivery given to another driver',
      body: `The package “${packageName}” has been given to another driver. It is no longer yours to deliver.`,
    }),
    'delivery.failed': ({ packageName, note }) => ({
      title: 'Delivery taken from you',
      body: `An administrator has ended your delivery of “${packageName}” as failed${reasonSuffix({ note })}. It is no longer yours to deliver.`,
    }),
    'delivery.released': ({ packageName }) => ({
      title: 'Delivery taken from you',
      body: `An administrator has taken back the package “${packageName}”. It is no longer yours to deliver.`,
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
    'second-factor.removed': ({ byThemselves }) => ({
      title: byThemselves ? 'Second factor turned off' : 'Second factor removed',
      body: byThemselves
        ? 'The password alone signs in to your account now.'
        : 'An administrator has removed the second factor of your account: the password alone signs in now.',
    }),
    'recovery-codes.made': () => ({
      title: 'New recovery codes',
      body: 'Your account has new recovery codes, and the old ones work no longer.',
    }),
    // Without the administrator's name: it would remain here after their account is erased.
    'password.link-made': () => ({
      title: 'Link for a new password',
      body: 'An administrator has made a link that sets a new password for your account. If you did not ask for one, tell another administrator.',
    }),
    'rights.changed': ({ changedParts }) => ({
      title: 'Your account was changed',
      body: `An administrator has changed ${partsOf(changedParts)} of your account.`,
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

const fieldNames: Record<NotificationParameters['changedFields'][number], string> = {
  recipientContact: 'the contact',
  window: 'the preferred time',
  instructions: 'the instructions',
};
const listed = (parts: string[]): string => new Intl.ListFormat('en-GB').format(parts);

/** For example 'the role and the rights'. */
const partsOf = (parts: NotificationParameters['changedParts']): string =>
  parts.map((part) => `the ${part}`).join(' and ') || 'the rights';
