/** A sequence of keys: 'g d'. 'Mod' is the command key on a Mac, otherwise Ctrl. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="inline-flex shrink-0 items-center gap-1">
      {keys.split(' ').map((key, index) => (
        <kbd
          // The same key may occur twice, and the order never changes.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          className="inline-flex h-5 min-w-6 items-center justify-center rounded-[4px] border border-line bg-sunken px-1 font-sans text-meta font-medium text-ink-2"
        >
          {nameOf(key)}
        </kbd>
      ))}
    </span>
  );
}

const names: Record<string, string> = { enter: '↵', escape: 'Esc' };

function nameOf(key: string): string {
  if (key === 'Mod') return modName();
  return key.length === 1 ? key.toUpperCase() : (names[key.toLowerCase()] ?? key);
}

const modName = () => (navigator.userAgent.includes('Mac') ? '⌘' : 'Ctrl');
