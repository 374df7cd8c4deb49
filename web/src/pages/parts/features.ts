import type { Texts } from '@waybill/contract/texts/en';

export type Feature = keyof Texts['landing']['features'];

export const features: readonly Feature[] = [
  'tracking',
  'security',
  'notifications',
  'preferences',
  'routes',
  'analytics',
];
