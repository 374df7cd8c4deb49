import { useRef, useState } from 'react';
import { useStore } from '../platform/store.ts';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Keys } from '../ui/Keys.tsx';
import { closeOverlay } from './overlays.ts';
import { setSingleKeys, pageShortcuts, navigationShortcuts, singleKeys } from './shortcuts.ts';

type Line = readonly [keys: string, label: string];

const everywhere: readonly Line[] = [
  ['Mod k', 'Search and commands'],
  ['?', 'Keyboard shortcuts'],
  ['F8', 'Go to the message on the screen'],
];

/** The shortcuts that work on this page for this user. */
export function ShortcutSheet() {
  const on = useStore(singleKeys);
  const body = useRef<HTMLDivElement>(null);
  // Computed once on opening: the page under a dialog does not change.
  const [groups] = useState(() => {
    const here = pageShortcuts().map(({ keys, label }): Line => [keys, label]);
    const pageKeys = new Set(here.map(([keys]) => keys));
    const elsewhere = navigationShortcuts().map(({ keys, label }): Line => [keys, label]);
    return [
      { title: 'Everywhere', lines: everywhere },
      { title: 'On this page', lines: here },
      { title: 'Go to', lines: elsewhere.filter(([keys]) => !pageKeys.has(keys)) },
    ].filter(({ lines }) => lines.length > 0);
  });
  return (
    <Dialog open onOpenChange={closeOverlay} title="Keyboard shortcuts" size="lg" initialFocus={body}>
      <div ref={body} tabIndex={-1} className="flex flex-col gap-6 outline-none">
        {/* From 768 px up in two columns: all at a glance. */}
        <div className="gap-x-10 md:columns-2">
          {groups.map(({ title, lines }) => (
            <section key={title} aria-label={title} className="mb-6 break-inside-avoid last:mb-0">
              <h3 className="mb-1 break-after-avoid text-table font-medium text-ink-3">{title}</h3>
              <dl className="divide-y divide-line">
                {lines.map(([keys, label]) => (
                  <div key={keys} className="flex items-center justify-between gap-6 break-inside-avoid py-1.5 text-ui">
                    <dt className="min-w-0 wrap-anywhere">{label}</dt>
                    <dd>
                      <Keys keys={keys} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <Checkbox
          label="Single-key shortcuts"
          hint="Switch them off if they get in the way of speech input or a shaking hand."
          checked={on}
          onChange={(event) => setSingleKeys(event.target.checked)}
        />
      </div>
    </Dialog>
  );
}
