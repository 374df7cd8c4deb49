import { fill } from '@waybill/contract';

/** The order matters: most user agents also name the browsers that they are compatible with. */
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** 'curl' of 'curl/8.9': programs call themselves by their name and version. */
const nameOfProgram = (userAgent: string | null): string | undefined =>
  /^(?!Mozilla)([\w.-]{1,40})\//.exec(userAgent ?? '')?.[1];

const english = { unknown: 'Unknown browser', browserOn: '{browser} on {system}' };

/** 'Firefox on Linux', so that users recognize their own devices. User agents can be forged: do not rely on it. */
export function nameOfBrowser(userAgent: string | null, words = english): string {
  const match = (list: typeof browsers) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const [browser, system] = [match(browsers), match(systems)];
  const name = browser ?? nameOfProgram(userAgent) ?? words.unknown;
  return system ? fill(words.browserOn, { browser: name, system }) : name;
}
