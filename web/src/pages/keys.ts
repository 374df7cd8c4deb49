// The keyboard's share of the shell: which presses are meant for a shortcut at all. What they do is loaded with the first one.

/** Where letters are letters, or lead to an item that starts with them. */
const typedInto = 'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=tablist]';

/** Opens the palette, on a Mac with the command key. */
const isPaletteKey = ({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent) =>
  (metaKey || ctrlKey) && !altKey && !shiftKey && key.toLowerCase() === 'k';

const isPlainKey = ({ key, metaKey, ctrlKey, altKey, isComposing, repeat, target }: KeyboardEvent) =>
  key.length === 1 &&
  key !== ' ' &&
  !(metaKey || ctrlKey || altKey || isComposing || repeat) &&
  !(target instanceof Element && target.closest(typedInto));

/** Called once, at the start. @param go leads to a page of the application */
export function listenToKeys(go: (href: string) => void): void {
  addEventListener('keydown', (event) => {
    const forPalette = isPaletteKey(event);
    if (event.defaultPrevented || !(forPalette || isPlainKey(event))) return;
    // Both are the browser's otherwise: its address bar, and its search in the page.
    if (forPalette || event.key === '/') event.preventDefault();
    void import('./shortcuts.ts').then(({ press }) => press(forPalette ? 'palette' : event.key, go));
  });
}
