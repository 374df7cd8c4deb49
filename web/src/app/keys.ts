// Global key handler: decides which key presses may be shortcuts. The shortcuts themselves are loaded with the first of them.
import { importWithRetry } from '../platform/import-with-retry.ts';
import { closeOverlay, overlay } from './overlays.ts';

/** Elements in which letters are text input or type-ahead, not shortcuts. */
const typingTargets = 'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=tablist]';

/** Ctrl+K, or Cmd+K on a Mac. */
const isPaletteKey = ({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent) =>
  (metaKey || ctrlKey) && !altKey && !shiftKey && key.toLowerCase() === 'k';

const isCharacter = ({ key, metaKey, ctrlKey, altKey, isComposing }: KeyboardEvent) =>
  key.length === 1 && !(metaKey || ctrlKey || altKey || isComposing);

const isPlainKey = (event: KeyboardEvent) =>
  isCharacter(event) &&
  event.key !== ' ' &&
  !event.repeat &&
  !(event.target instanceof Element && event.target.closest(typingTargets));

/** Input typed while the palette's code is loading; null while the palette is closed or has taken it over. */
let typeAhead: string | null = null;
overlay.subscribe(() => (typeAhead = overlay.get() === 'palette' ? '' : null));

/** Returns the buffered input and stops buffering: the palette's field has the focus now. */
export function consumeTypeAhead(): string {
  const typed = typeAhead ?? '';
  typeAhead = null;
  return typed;
}

function bufferForPalette(event: KeyboardEvent, typed: string): void {
  if (isCharacter(event)) typeAhead = typed + event.key;
  else if (event.key === 'Backspace') typeAhead = typed.slice(0, -1);
  else if (event.key === 'Escape') closeOverlay();
  else return;
  event.preventDefault();
}

/** Shortcuts are disabled under a modal. */
export const isModalOpen = () =>
  overlay.get() !== null || document.querySelector('[role=dialog], [role=alertdialog], dialog[open]') !== null;

function togglePalette(): void {
  if (overlay.get() === 'palette') closeOverlay();
  else if (!isModalOpen()) overlay.set('palette');
}

/** Called once on start-up. @param go navigates to a page of the application */
export function listenToKeys(go: (href: string) => void): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented) return;
    if (isPaletteKey(event)) {
      // Browsers use this key for the address bar.
      event.preventDefault();
      togglePalette();
    } else if (typeAhead !== null) {
      bufferForPalette(event, typeAhead);
    } else if (isPlainKey(event)) {
      // In Firefox '/' opens the search in the page.
      if (event.key === '/') event.preventDefault();
      void importWithRetry(() => import('./shortcuts.ts')).then(
        ({ handleKey }) => handleKey(event.key, go),
        () => {},
      );
    }
  });
}
