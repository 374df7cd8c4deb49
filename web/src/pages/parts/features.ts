import type { Texts } from '@waybill/contract/texts/en';

export interface Feature {
  name: keyof Texts['landing']['features'];
  /** Not implemented yet: marked as such, so that the page does not promise what does not work. */
  comingSoon?: true;
}

export const features: readonly Feature[] = [
  { name: 'tracking' },
  { name: 'security' },
  { name: 'notifications' },
  { name: 'preferences' },
  { name: 'routes', comingSoon: true },
  { name: 'analytics' },
];
