import type { notificationKinds } from './event-rules.ts';

type NotificationKind = (typeof notificationKinds)[number];

/**
 * The channels that deliver notifications, by their names on the wire. `preferences`: the channel's field in a user's preferences.
 * `kinds`: what it delivers to users who have not chosen; null: every kind. `essentials`: also what cannot be turned off.
 */
export const channels = {
  /** The list of notifications in the product. */
  'in-app': { preferences: 'inApp', kinds: null, essentials: true },
  email: {
    preferences: 'email',
    kinds: [
      'delivery.completed',
      'delivery.failed',
      'package.messaged',
      'package.unreachable',
      'package.pin',
      'incident',
      'message.received',
      'account.waiting',
      'password.reset-requested',
      'security',
    ],
    essentials: true,
  },
  /** To the phone number of the profile. Each message costs, so only what is asked for. */
  sms: { preferences: 'sms', kinds: [], essentials: false },
  /** To the browsers that the user has subscribed, so that it brings what the list in the product has. */
  push: { preferences: 'push', kinds: null, essentials: true },
} as const satisfies Record<
  string,
  { preferences: string; kinds: readonly NotificationKind[] | null; essentials: boolean }
>;
export type Channel = keyof typeof channels;
export const channelNames = Object.keys(channels) as Channel[];

/** Channels by which a message is sent to an address. It may take long, fail, or be held where nothing is set up to send it. */
export type SlowChannel = Exclude<Channel, 'in-app'>;
export const slowChannels = channelNames.filter((channel): channel is SlowChannel => channel !== 'in-app');

/** Whether a channel delivers a kind to users who have not chosen. */
export function isOnByDefault(channel: Channel, kind: NotificationKind): boolean {
  const kinds: readonly NotificationKind[] | null = channels[channel].kinds;
  return kinds === null || kinds.includes(kind);
}

type PreferencesField = (typeof channels)[Channel]['preferences'];

/** An object with one value for each channel, as preferences have it on the wire. */
export const byChannel = <Value>(valueOf: (channel: Channel) => Value): Record<PreferencesField, Value> =>
  Object.fromEntries(channelNames.map((channel) => [channels[channel].preferences, valueOf(channel)])) as Record<
    PreferencesField,
    Value
  >;
