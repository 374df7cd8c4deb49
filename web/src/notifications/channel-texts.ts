import type { Channel } from '@waybill/contract';

export const channelTexts: Record<Channel, { label: string }> = {
  'in-app': { label: 'In the app' },
  email: { label: 'Email' },
  sms: { label: 'SMS' },
  push: { label: 'Push' },
};
