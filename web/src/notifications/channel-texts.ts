import type { Channel } from '@waybill/contract';

/** `preferences`: the heading over what a user chooses for the channel. */
export const channelTexts: Record<Channel, { label: string; preferences: string }> = {
  'in-app': { label: 'In the app', preferences: 'Tell me about' },
};
