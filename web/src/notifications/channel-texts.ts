import type { Channel } from '@waybill/contract';

export const channelTexts: Record<Channel, { label: string }> = {
  'in-app': { label: 'In the app' },
  email: { label: 'E-mail' },
  sms: { label: 'SMS' },
  push: { label: 'Push' },
};
