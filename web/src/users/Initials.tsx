import { classes } from '../ui/classes.ts';
import { toneFillClasses } from '../ui/tone.ts';
import type { Tone } from '../ui/tone.ts';

const tones: readonly Tone[] = ['blue', 'green', 'purple', 'yellow', 'red', 'grey'];

/** Two letters of a name on a tint that is always the same for this name. Decorative: the name is shown beside it. */
export function Initials({ name, size = 'md' }: { name: string; size?: 'sm' | 'md' }) {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('');
  const sum = Array.from(name).reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return (
    <span
      aria-hidden="true"
      className={classes(
        'inline-flex shrink-0 items-center justify-center rounded-full text-[0.6875rem] font-semibold tracking-normal uppercase select-none',
        size === 'sm' ? 'size-[1.75rem]' : 'size-[2rem]',
        toneFillClasses[tones[sum % tones.length] ?? 'grey'],
      )}
    >
      {letters}
    </span>
  );
}
