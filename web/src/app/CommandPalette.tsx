import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../platform/session.ts';
import { Palette } from '../ui/Palette.tsx';
import { commandsFor, filterCommands, trackCommand } from './commands.ts';
import type { Command } from './commands.ts';
import { consumeTypeAhead } from './keys.ts';
import { closeOverlay } from './overlays.ts';
import { isApplicationPath } from './pages.ts';
import { useQuickSearch } from './useQuickSearch.ts';

/** Pages, actions and the server's search results, in one search field. */
export function CommandPalette({ onLogout }: { onLogout: () => void }) {
  const session = useSession();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const { found, searching, failures } = useQuickSearch(typed);
  const items: Command[] = [...filterCommands(commandsFor(session), typed), ...found, ...trackCommand(typed)];

  const choose = (command: Command) => {
    closeOverlay();
    command.run({
      go: (href) => {
        if (isApplicationPath(new URL(href, location.origin).pathname)) void navigate({ href });
        else location.assign(href);
      },
      logout: onLogout,
    });
  };
  return (
    <Palette
      label="Search and commands"
      placeholder={session.user ? 'Search, or go to a page' : 'Go to a page, or track an ID'}
      items={items}
      typed={typed}
      onType={setTyped}
      onFocus={() => {
        const buffered = consumeTypeAhead();
        setTyped((before) => before + buffered);
      }}
      searching={searching}
      failures={failures}
      onChoose={choose}
      onClose={closeOverlay}
    />
  );
}
