import { ArrowRight, Keyboard, LogOut, Monitor, Moon, ScanSearch, Sun } from 'lucide-react';
import type { Session } from '../platform/session.ts';
import { chooseTheme } from '../platform/theme.ts';
import type { PaletteItem } from '../ui/Palette.tsx';
import { overlay } from './overlays.ts';
import { navItemsFor } from './navigation.ts';

/** What a command may do with the application around it. */
export interface CommandContext {
  go: (href: string) => void;
  logout: () => void;
}

export interface Command extends PaletteItem {
  run: (doing: CommandContext) => void;
  /** Further words to find it by. */
  words?: string;
}

const actions: readonly Command[] = [
  { id: 'light', label: 'Light theme', icon: Sun, words: 'bright', run: () => chooseTheme('light') },
  { id: 'dark', label: 'Dark theme', icon: Moon, words: 'night', run: () => chooseTheme('dark') },
  { id: 'system', label: 'System theme', icon: Monitor, words: 'automatic', run: () => chooseTheme('system') },
  { id: 'keys', label: 'Keyboard shortcuts', icon: Keyboard, keys: '?', run: () => overlay.set('shortcuts') },
].map((action) => ({ ...action, group: 'Actions' }));

const logOut: Command = {
  id: 'logout',
  group: 'Actions',
  label: 'Logout',
  words: 'sign out',
  icon: LogOut,
  run: ({ logout }) => logout(),
};

/** Everything that this user can do from anywhere. */
export const commandsFor = (who: Pick<Session, 'user' | 'permissions'>): Command[] => [
  ...navItemsFor(who).map(({ label, keys, href }) => ({
    id: href,
    group: 'Go to',
    label,
    keys,
    icon: ArrowRight,
    run: ({ go }: CommandContext) => go(href),
  })),
  ...actions,
  ...(who.user ? [logOut] : []),
];

const minIdLength = 5;

/** Looks a tracking ID up, once what is typed may be one. */
export function trackCommand(typed: string): Command[] {
  const id = typed.trim();
  if (id.length < minIdLength || /\s/.test(id)) return [];
  return [
    {
      id: 'track',
      group: 'Track a Package',
      label: `Track ${id}`,
      icon: ScanSearch,
      run: ({ go }) => go(`/track/${encodeURIComponent(id)}`),
    },
  ];
}

/** The commands that have all typed words; those that begin with what was typed come first, otherwise the order stays. */
export function filterCommands<C extends Pick<Command, 'label' | 'words'>>(commands: readonly C[], typed: string): C[] {
  const asked = typed.trim().toLowerCase();
  if (asked === '') return [...commands];
  const words = asked.split(/\s+/);
  const found = commands.filter(({ label, words: more = '' }) => {
    const text = `${label} ${more}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const begins = ({ label }: C) => label.toLowerCase().startsWith(asked);
  return [...found.filter(begins), ...found.filter((command) => !begins(command))];
}
