import { getSession } from '../platform/session.ts';
import { localStorageItem } from '../platform/local-storage.ts';
import { createStore } from '../platform/store.ts';
import { isModalOpen } from './keys.ts';
import { overlay } from './overlays.ts';
import { navItemsFor } from './navigation.ts';

export interface Shortcut {
  /** 'g d': one after the other. */
  keys: string;
  label: string;
  run: () => void;
}

/** Between the keys of a shortcut. */
const pauseMs = 1500;

let begun: { keys: string; at: number } = { keys: '', at: 0 };

const kept = localStorageItem('shortcuts');
/** Single keys can be switched off: speech input and tremor press them by accident. The palette's key stays. */
export const singleKeys = createStore(kept.read() !== 'off');
export function setSingleKeys(on: boolean): void {
  singleKeys.set(on);
  kept.write(on ? null : 'off');
}

/** Does what a key is for, here and for this user. */
export function handleKey(key: string, go: (href: string) => void): void {
  if (!singleKeys.get() || isModalOpen()) return;
  if (key === '?') return overlay.set('shortcuts');
  const { shortcut, keys } = findShortcut(
    [...pageShortcuts(), ...navigationShortcuts(go)],
    begun,
    key,
    performance.now(),
  );
  begun = { keys, at: performance.now() };
  shortcut?.run();
}

/** @returns the shortcut that a key completes, or the keys that one may go on from */
export function findShortcut<S extends Pick<Shortcut, 'keys'>>(
  known: readonly S[],
  before: { keys: string; at: number },
  key: string,
  at: number,
): { shortcut: S | undefined; keys: string } {
  const inTime = before.keys !== '' && at - before.at <= pauseMs;
  const tried = inTime ? [`${before.keys} ${key}`, key] : [key];
  for (const keys of tried) {
    const shortcut = known.find((candidate) => candidate.keys === keys);
    if (shortcut) return { shortcut, keys: '' };
    if (known.some((candidate) => candidate.keys.startsWith(`${keys} `))) return { shortcut: undefined, keys };
  }
  return { shortcut: undefined, keys: '' };
}

/** What the page itself offers: whatever on it says so by `aria-keyshortcuts`. So the sheet lists only what works here. */
export function pageShortcuts(): Shortcut[] {
  const elements = [...document.querySelectorAll<HTMLElement>('main [aria-keyshortcuts]')];
  return elements
    .filter((element) => element.checkVisibility() && element.ariaDisabled !== 'true')
    .map((element) => ({
      keys: element.getAttribute('aria-keyshortcuts')?.toLowerCase() ?? '',
      label: element.ariaLabel ?? element.textContent.trim(),
      run: () => (element instanceof HTMLInputElement ? element.select() : element.click()),
    }));
}

/** Ways to the pages that this user may see. */
export const navigationShortcuts = (go: (href: string) => void = () => {}): Shortcut[] =>
  navItemsFor(getSession()).flatMap(({ keys, label, href }) => (keys ? [{ keys, label, run: () => go(href) }] : []));
