import { Search } from 'lucide-react';
import { texts } from '../platform/texts.ts';
import { classes } from '../ui/classes.ts';
import { Keys } from '../ui/Keys.tsx';

interface SearchButtonProps {
  onPress: () => void;
  /** In the administrators' navigation: as wide as it. */
  inSidebar?: boolean;
}

/** Opens the command palette. Looks like a search field on wide screens, otherwise only an icon. */
export function SearchButton({ onPress, inSidebar = false }: SearchButtonProps) {
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+K Meta+K"
      title={texts.frame.searchAndCommands}
      onClick={onPress}
      className={classes(
        'inline-flex size-11 shrink-0 items-center justify-center gap-2 rounded-control text-ui text-ink-3 transition-colors hover:bg-sunken hover:text-ink',
        inSidebar
          ? 'frame:h-9 frame:w-full frame:justify-start frame:border frame:border-line frame:bg-surface frame:px-3 frame:hover:border-control'
          : 'lg:mr-1 lg:h-9 lg:w-56 lg:justify-start lg:border lg:border-line lg:bg-surface lg:px-3 lg:hover:border-control',
      )}
    >
      <Search
        aria-hidden="true"
        className={classes(
          'size-5 shrink-0 text-ink-2',
          inSidebar ? 'frame:size-4 frame:text-ink-3' : 'lg:size-4 lg:text-ink-3',
        )}
      />
      <span
        aria-hidden="true"
        className={classes('grow text-left', inSidebar ? 'max-frame:sr-only' : 'max-lg:sr-only')}
      >
        {texts.frame.search}
      </span>
      <span className="sr-only">{texts.frame.searchAndCommands}</span>
      <span aria-hidden="true" className={classes('hidden', inSidebar ? 'frame:inline-flex' : 'lg:inline-flex')}>
        <Keys keys="Mod k" />
      </span>
    </button>
  );
}
