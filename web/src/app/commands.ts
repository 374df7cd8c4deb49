import { ArrowRight, Keyboard, LogOut, Monitor, Moon, ScanLine, ScanSearch, Sun } from 'lucide-react';
import { chooseTheme } from '../platform/theme.ts';
import type { PaletteItem } from '../ui/Palette.tsx';
import { overlay } from './overlays.ts';
import { navItemsFor } from './navigation.ts';

/** The functions of the application that a command can call. */
export interface CommandContext {
  go: (href: string) => void;
  logout: () => void;
}

export interface Command extends PaletteItem {
  run: (context: CommandContext) => void;
  /** Additional search terms. */
  words?: string;
}

const actions: readonly Command[] = [
  { id: 'light', label: 'Light theme', icon: Sun, words: 'bright', run: () => chooseTheme('light') },
  { id: 'dark', label: 'Dark theme', icon: Moon, words: 'night', run: () => chooseTheme('dark') },
  { id: 'system', label: 'System theme', icon: Monitor, words: 'automatic', run: () => chooseTheme('system') },
  {
    id: 'scan',
    label: 'Scan a label',
    icon: ScanLine,
    words: 'camera qr bar code open package',
    run: () => overlay.set('scanner'),
  },
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

/** The commands available to this user on any page. */
export const commandsFor = (who: Parameters<typeof navItemsFor>[0]): Command[] => [
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

/** A command that opens the tracker, if the input may be a tracking ID. */
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

/** The commands that match all typed words; prefix matches come first, otherwise in the given order. */
export function filterCommands<C extends Pick<Command, 'label' | 'words'>>(commands: readonly C[], typed: string): C[] {
  const query = typed.trim().toLowerCase();
  if (query === '') return [...commands];
  const words = query.split(/\s+/);
  const found = commands.filter(({ label, words: more = '' }) => {
    const text = `${label} ${more}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const isPrefixMatch = ({ label }: C) => label.toLowerCase().startsWith(query);
  return [...found.filter(isPrefixMatch), ...found.filter((command) => !isPrefixMatch(command))];
}
