import { expect, test } from 'vitest';
import { nameOfBrowser } from './browser-name.ts';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19.0 Mobile Safari/604',
    'Safari on iOS',
  ],
  ['Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['curl/8.9', 'curl'],
  ['waybill-app/2.1 (Linux; Android 15)', 'waybill-app on Android'],
  [null, 'Unknown browser'],
])('the user agent %s is named %s', (userAgent, name) => {
  expect(nameOfBrowser(userAgent)).toBe(name);
});
