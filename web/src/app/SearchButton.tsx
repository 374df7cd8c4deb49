import { Search } from 'lucide-react';
import { Keys } from '../ui/Keys.tsx';

/** Opens the command palette. Looks like a search field on wide screens, otherwise only an icon. */
export function SearchButton({ onPress }: { onPress: () => void }) {
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+K Meta+K"
      title="Search and commands"
      onClick={onPress}
      className="inline-flex size-11 shrink-0 items-center justify-center gap-2 rounded-control text-ui text-ink-3 transition-colors hover:bg-sunken hover:text-ink lg:mr-1 lg:h-9 lg:w-56 lg:justify-start lg:border lg:border-line lg:bg-surface lg:px-3 lg:hover:border-control"
    >
      <Search aria-hidden="true" className="size-5 text-ink-2 lg:size-4 lg:text-ink-3" />
      <span className="grow text-left max-lg:sr-only">
        Search<span className="sr-only"> and commands</span>
      </span>
      <span aria-hidden="true" className="hidden lg:inline-flex">
        <Keys keys="Mod k" />
      </span>
    </button>
  );
}
