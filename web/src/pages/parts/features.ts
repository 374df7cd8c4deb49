import type { Texts } from '@waybill/contract/texts/en';
import { ChartNoAxesColumn, Bell, MapPinned, Route, ShieldCheck, SlidersHorizontal } from 'lucide-react';

export interface Feature {
  name: keyof Texts['landing']['features'];
  icon: typeof Bell;
  /** Not implemented yet: marked as such, so that the page does not promise what does not work. */
  comingSoon?: true;
}

export const features: readonly Feature[] = [
  { name: 'tracking', icon: MapPinned },
  { name: 'security', icon: ShieldCheck },
  { name: 'notifications', icon: Bell },
  { name: 'routes', icon: Route, comingSoon: true },
  { name: 'preferences', icon: SlidersHorizontal },
  { name: 'analytics', icon: ChartNoAxesColumn },
];
