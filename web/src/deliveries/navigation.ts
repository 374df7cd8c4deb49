import type { Place } from '@waybill/contract';
import { createStore, useStore } from '../platform/store.ts';
import { localStorageItem } from '../platform/local-storage.ts';

/** Navigation apps, by an encoded address, or by latitude and longitude. This page requests nothing from them: each is a link that the driver opens. */
export const navigators = {
  geo: {
    label: "The phone's own app",
    href: (address: string) => `geo:0,0?q=${address}`,
    hrefAt: (at: string, address: string) => `geo:${at}?q=${at}(${address})`,
  },
  apple: {
    label: 'Apple Maps',
    href: (address: string) => `https://maps.apple.com/?daddr=${address}`,
    hrefAt: (at: string) => `https://maps.apple.com/?daddr=${at}`,
  },
  google: {
    label: 'Google Maps',
    href: (address: string) => `https://www.google.com/maps/dir/?api=1&destination=${address}`,
    hrefAt: (at: string) => `https://www.google.com/maps/dir/?api=1&destination=${at}`,
  },
  waze: {
    label: 'Waze',
    href: (address: string) => `https://waze.com/ul?q=${address}&navigate=yes`,
    hrefAt: (at: string) => `https://waze.com/ul?ll=${at}&navigate=yes`,
  },
  osm: {
    label: 'OpenStreetMap',
    href: (address: string) => `https://www.openstreetmap.org/search?query=${address}`,
    hrefAt: (at: string) => `https://www.openstreetmap.org/directions?to=${at}`,
  },
} as const;
export type Navigator = keyof typeof navigators;

export const navigatorNames = Object.keys(navigators) as Navigator[];

/** Link that shows the route to a delivery: to its place where the building is known, else to its address. */
export const navigationHref = (navigator: Navigator, address: string, place: Place | null = null): string => {
  const { href, hrefAt } = navigators[navigator];
  // An app may know the street better than we do.
  const isExact = place?.accuracy === 'rooftop' || place?.accuracy === 'pin';
  return place && isExact
    ? hrefAt(encodeURIComponent(`${place.lat},${place.lon}`), encodeURIComponent(address))
    : href(encodeURIComponent(address));
};

/** The device's default app, else a map in the browser. An iPad reports itself as a Macintosh: touch points tell it from a Mac. */
export function navigatorOf({ userAgent, maxTouchPoints }: { userAgent: string; maxTouchPoints: number }): Navigator {
  if (/iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)) return 'apple';
  return userAgent.includes('Android') ? 'geo' : 'google';
}

const storage = localStorageItem('navigation');
const chosen = createStore<Navigator | null>(navigatorNames.find((known) => known === storage.read()) ?? null, null);

/** `chosen`: the choice on this device, or null; `inUse`: that, or the device's default. */
export const useNavigator = (): { chosen: Navigator | null; inUse: Navigator } => {
  const choice = useStore(chosen);
  // Node 20 has no `navigator`: the server draws a sample.
  return { chosen: choice, inUse: choice ?? (typeof navigator === 'undefined' ? 'google' : navigatorOf(navigator)) };
};

/** What this device can open: only Android asks for an app by a `geo:` link. */
export const offeredNavigators = (inUse: Navigator): readonly Navigator[] =>
  navigatorNames.filter((name) => name !== 'geo' || name === inUse || navigatorOf(navigator) === 'geo');

/** Stored per device (localStorage): another device may have other apps. */
export function chooseNavigator(next: Navigator): void {
  chosen.set(next);
  storage.write(next);
}

/** The attributes of a link: a `geo:` link opens an app; web pages open in a new tab, without opener and referrer. */
export const opening = (navigator: Navigator) =>
  navigator === 'geo' ? {} : ({ target: '_blank', rel: 'noopener noreferrer' } as const);
