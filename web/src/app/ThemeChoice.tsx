import { Monitor, Moon, Sun } from 'lucide-react';
import { useId } from 'react';
import { texts } from '../platform/texts.ts';
import { chooseTheme, themes, useTheme } from '../platform/theme.ts';

const icons = { system: Monitor, light: Sun, dark: Moon };

export function ThemeChoice() {
  const chosen = useTheme();
  // Two choices may be in one page, in a menu and in a sheet: with one name they were one group.
  const name = useId();
  return (
    <fieldset className="flex noscript:hidden rounded-full border border-line p-0.5">
      <legend className="sr-only">{texts.frame.theme}</legend>
      {themes.map((theme) => {
        const Icon = icons[theme];
        const label = texts.frame.themes[theme];
        return (
          <label
            key={theme}
            title={label}
            className="relative flex size-9 items-center justify-center rounded-full text-ink-3 transition-colors hover:text-ink has-checked:bg-sunken has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name={name}
              className="absolute inset-0 cursor-pointer opacity-0"
              aria-label={label}
              checked={chosen === theme}
              onChange={() => chooseTheme(theme)}
            />
            <Icon aria-hidden="true" className="size-4" />
          </label>
        );
      })}
    </fieldset>
  );
}
