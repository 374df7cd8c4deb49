/**
 * The channels that deliver notifications, by their names in deliveries. `preferences`: the channel's field in a user's preferences.
 * `jobSuffix`: the suffix of its jobs' names, unique for each channel.
 */
export const channels = {
  /** The list of notifications in the product. */
  'in-app': { preferences: 'inApp', jobSuffix: '' },
} as const satisfies Record<string, { preferences: string; jobSuffix: string }>;
export type Channel = keyof typeof channels;
export const channelNames = Object.keys(channels) as Channel[];

type PreferencesField = (typeof channels)[Channel]['preferences'];

/** An object with one value for each channel, as preferences have it on the wire. */
export const byChannel = <Value>(valueOf: (channel: Channel) => Value): Record<PreferencesField, Value> =>
  Object.fromEntries(channelNames.map((channel) => [channels[channel].preferences, valueOf(channel)])) as Record<
    PreferencesField,
    Value
  >;
