import { ChartNoAxesColumn, Bell, MapPinned, Route, ShieldCheck, SlidersHorizontal } from 'lucide-react';

interface Feature {
  title: string;
  text: string;
  icon: typeof Bell;
  /** Not implemented yet: marked as such, so that the page does not promise what does not work. */
  comingSoon?: true;
}

export const features: readonly Feature[] = [
  {
    title: 'Real-Time Tracking',
    text: 'The public page of a package changes by itself, within a second, for everybody who has its tracking ID.',
    icon: MapPinned,
  },
  {
    title: 'Secure Delivery',
    text: 'Each package has exactly one driver, every step is recorded, and addresses stay with those who need them.',
    icon: ShieldCheck,
  },
  {
    title: 'Smart Notifications',
    text: 'Owners are told in the app at every change. Email, SMS and push are coming soon.',
    icon: Bell,
  },
  {
    title: 'Route Optimization',
    text: "A driver's stops of the day in the best order.",
    icon: Route,
    comingSoon: true,
  },
  {
    title: 'Delivery Preferences',
    text: 'Preferred times and special handling, from the form to the doorstep.',
    icon: SlidersHorizontal,
  },
  {
    title: 'Analytics Dashboard',
    text: 'On-time rates, delivery times and open issues, computed from what really happened.',
    icon: ChartNoAxesColumn,
  },
];
