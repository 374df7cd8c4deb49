import { createStore, useStore } from '../platform/store.ts';
import { localStorageItem } from '../platform/local-storage.ts';

/** What can show the way to an address. Nothing of it is asked for by this page: it is a link that the driver opens. */
export const navigators = {
  geo: { label: "The phone's own app", href: (place: string) => `geo:0,0?q=${place}` },
  apple: { label: 'Apple Maps', href: (place: string) => `https://maps.apple.com/?daddr=${place}` },
  google: {
    label: 'Google Maps',
    href: (place: string) => `https://www.google.com/maps/dir/?api=1&destination=${place}`,
  },
  waze: { label: 'Waze', href: (place: string) => `https://waze.com/ul?q=${place}&navigate=yes` },
  osm: { label: 'OpenStreetMap', href: (place: string) => `https://www.openstreetmap.org/search?query=${place}` },
} as const;
export type Navigator = keyof typeof navigators;

export const navigatorNames = Object.keys(navigators) as Navigator[];

/** Where the way to an address is shown. */
export const navigationHref = (navigator: Navigator, address: string): string =>
  navigators[navigator].href(encodeURIComponent(address));

/** What a device has of its own; elsewhere a map in the browser. An iPad calls itself a Macintosh, and is touched. */
export function navigatorOf({ userAgent, maxTouchPoints }: { userAgent: string; maxTouchPoints: number }): Navigator {
  if (/iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)) return 'apple';
  return userAgent.includes('Android') ? 'geo' : 'google';
}

const kept = localStorageItem('navigation');
const chosen = createStore<Navigator | null>(navigatorNames.find((known) => known === kept.read()) ?? null, null);

/** What was chosen on this device, or null; and what is used without a choice. */
export const useNavigator = (): { chosen: Navigator | null; inUse: Navigator } => {
  const choice = useStore(chosen);
  return { chosen: choice, inUse: choice ?? navigatorOf(navigator) };
};

/** Kept on this device: another one may have other apps. */
export function chooseNavigator(next: Navigator): void {
  chosen.set(next);
  kept.write(next);
}
