// The keyboard's share of the shell: which presses are meant for a shortcut at all. What they do is loaded with the first one.
import { importWithRetry } from '../platform/import-with-retry.ts';
import { closeOverlay, overlay } from './overlays.ts';

/** Where letters are letters, or lead to an item that starts with them. */
const typedInto = 'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=tablist]';

/** Opens the palette, on a Mac with the command key. */
const isPaletteKey = ({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent) =>
  (metaKey || ctrlKey) && !altKey && !shiftKey && key.toLowerCase() === 'k';

const isCharacter = ({ key, metaKey, ctrlKey, altKey, isComposing }: KeyboardEvent) =>
  key.length === 1 && !(metaKey || ctrlKey || altKey || isComposing);

const isPlainKey = (event: KeyboardEvent) =>
  isCharacter(event) &&
  event.key !== ' ' &&
  !event.repeat &&
  !(event.target instanceof Element && event.target.closest(typedInto));

/** What is typed while the palette is on its way; null while nothing has to be kept for it. */
let typedAhead: string | null = null;
overlay.subscribe(() => (typedAhead = overlay.get() === 'palette' ? '' : null));

/** For the palette's field, which takes what is typed by itself from now on. */
export function consumeTypeAhead(): string {
  const typed = typedAhead ?? '';
  typedAhead = null;
  return typed;
}

function keepForPalette(event: KeyboardEvent, typed: string): void {
  if (isCharacter(event)) typedAhead = typed + event.key;
  else if (event.key === 'Backspace') typedAhead = typed.slice(0, -1);
  else if (event.key === 'Escape') closeOverlay();
  else return;
  event.preventDefault();
}

/** Under a dialog nothing moves. */
export const isModalOpen = () =>
  overlay.get() !== null || document.querySelector('[role=dialog], [role=alertdialog]') !== null;

function togglePalette(): void {
  if (overlay.get() === 'palette') closeOverlay();
  else if (!isModalOpen()) overlay.set('palette');
}

/** Called once, at the start. @param go leads to a page of the application */
export function listenToKeys(go: (href: string) => void): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented) return;
    if (isPaletteKey(event)) {
      // Otherwise it is the browser's, for its address bar.
      event.preventDefault();
      togglePalette();
    } else if (typedAhead !== null) {
      keepForPalette(event, typedAhead);
    } else if (isPlainKey(event)) {
      // The browser's search in the page.
      if (event.key === '/') event.preventDefault();
      void importWithRetry(() => import('./shortcuts.ts')).then(
        ({ handleKey }) => handleKey(event.key, go),
        () => {},
      );
    }
  });
}
