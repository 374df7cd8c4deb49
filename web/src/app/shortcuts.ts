import { getSession } from '../platform/session.ts';
import { localStorageItem } from '../platform/local-storage.ts';
import { createStore } from '../platform/store.ts';
import { isModalOpen } from './keys.ts';
import { overlay } from './overlays.ts';
import { navItemsFor } from './navigation.ts';

export interface Shortcut {
  /** A key, or a sequence of keys: 'g d'. */
  keys: string;
  label: string;
  run: () => void;
}

/** The maximum time between two keys of a sequence. */
const sequenceTimeoutMs = 1500;

let partial: { keys: string; at: number } = { keys: '', at: 0 };

const storedSetting = localStorageItem('shortcuts');
/** Single keys can be switched off: speech input and tremor press them by accident. The palette's key stays. */
export const singleKeys = createStore(storedSetting.read() !== 'off');
export function setSingleKeys(on: boolean): void {
  singleKeys.set(on);
  storedSetting.write(on ? null : 'off');
}

/** Runs the shortcut of a key on this page for this user. */
export function handleKey(key: string, go: (href: string) => void): void {
  if (!singleKeys.get() || isModalOpen()) return;
  if (key === '?') return overlay.set('shortcuts');
  const { shortcut, keys } = findShortcut(
    [...pageShortcuts(), ...navigationShortcuts(go)],
    partial,
    key,
    performance.now(),
  );
  partial = { keys, at: performance.now() };
  shortcut?.run();
}

/** @returns the shortcut that a key completes, or the keys of a sequence that may still be completed */
export function findShortcut<S extends Pick<Shortcut, 'keys'>>(
  shortcuts: readonly S[],
  before: { keys: string; at: number },
  key: string,
  at: number,
): { shortcut: S | undefined; keys: string } {
  const inTime = before.keys !== '' && at - before.at <= sequenceTimeoutMs;
  const attempts = inTime ? [`${before.keys} ${key}`, key] : [key];
  for (const keys of attempts) {
    const shortcut = shortcuts.find((candidate) => candidate.keys === keys);
    if (shortcut) return { shortcut, keys: '' };
    if (shortcuts.some((candidate) => candidate.keys.startsWith(`${keys} `))) return { shortcut: undefined, keys };
  }
  return { shortcut: undefined, keys: '' };
}

/** 'Control+Z Meta+Z' is listed as 'Ctrl Z', and pressed by who listens for it; a single key is in lower case. */
const keysOf = (listed: string): string =>
  listed.includes('+')
    ? (listed.split(' ')[0] ?? '').replace('Control', 'Ctrl').replaceAll('+', ' ')
    : listed.toLowerCase();

/** The shortcuts of the current page: visible, enabled elements with `aria-keyshortcuts`. So the sheet lists only what works here. */
export function pageShortcuts(): Shortcut[] {
  const elements = [...document.querySelectorAll<HTMLElement>('main [aria-keyshortcuts]')];
  return elements
    .filter((element) => element.checkVisibility() && element.ariaDisabled !== 'true')
    .map((element) => ({
      keys: keysOf(element.getAttribute('aria-keyshortcuts') ?? ''),
      label: element.ariaLabel ?? element.textContent.trim(),
      run: () => (element instanceof HTMLInputElement ? element.select() : element.click()),
    }));
}

/** Shortcuts to the pages that this user can open. */
export const navigationShortcuts = (go: (href: string) => void = () => {}): Shortcut[] =>
  navItemsFor(getSession()).flatMap(({ keys, label, short, href }) =>
    keys ? [{ keys, label: short ?? label, run: () => go(href) }] : [],
  );
