import { expect, test } from 'vitest';
import { navigationHref, navigatorNames, navigatorOf } from './navigation.ts';

const address = 'Straße 5 & 7, #2, 01067 Dresden';
const encoded = 'Stra%C3%9Fe%205%20%26%207%2C%20%232%2C%2001067%20Dresden';

test.each([
  ['geo', `geo:0,0?q=${encoded}`],
  ['apple', `https://maps.apple.com/?daddr=${encoded}`],
  ['google', `https://www.google.com/maps/dir/?api=1&destination=${encoded}`],
  ['waze', `https://waze.com/ul?q=${encoded}&navigate=yes`],
  ['osm', `https://www.openstreetmap.org/search?query=${encoded}`],
] as const)('the link of %s has the whole address, URL-encoded', (navigator, href) => {
  expect(navigationHref(navigator, address)).toBe(href);
});

test('every navigation app has an https or geo link', () => {
  for (const name of navigatorNames) expect(new URL(navigationHref(name, address)).protocol).toMatch(/^(https|geo):$/);
});

test.each([
  ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', 5, 'apple'],
  ['an iPad', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5, 'apple'],
  ['a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, 'google'],
  ['an Android phone', 'Mozilla/5.0 (Linux; Android 16; Pixel 10)', 5, 'geo'],
  ['a desktop', 'Mozilla/5.0 (X11; Linux x86_64)', 0, 'google'],
] as const)('%s has its own default app', (_device, userAgent, maxTouchPoints, expected) => {
  expect(navigatorOf({ userAgent, maxTouchPoints })).toBe(expected);
});

test.each([
  ['geo', `geo:53.55%2C9.99?q=53.55%2C9.99(${encoded})`],
  ['apple', 'https://maps.apple.com/?daddr=53.55%2C9.99'],
  ['google', 'https://www.google.com/maps/dir/?api=1&destination=53.55%2C9.99'],
  ['waze', 'https://waze.com/ul?ll=53.55%2C9.99&navigate=yes'],
  ['osm', 'https://www.openstreetmap.org/directions?to=53.55%2C9.99'],
] as const)('the link of %s goes to the building where it is known, and else to the address', (navigator, href) => {
  const place = { lon: 9.99, lat: 53.55, source: 'pin' };
  expect(navigationHref(navigator, address, { ...place, accuracy: 'pin' })).toBe(href);
  expect(navigationHref(navigator, address, { ...place, accuracy: 'town' })).toBe(navigationHref(navigator, address));
});
