/** Status colours; their meaning is up to the caller. Never use a tone without an icon or a word: colour alone is not accessible. */
export type Tone = 'yellow' | 'blue' | 'green' | 'red' | 'grey' | 'purple';

export const toneFillClasses: Record<Tone, string> = {
  yellow: 'bg-yellow-bg text-yellow-ink',
  blue: 'bg-blue-bg text-blue-ink',
  green: 'bg-green-bg text-green-ink',
  red: 'bg-red-bg text-red-ink',
  grey: 'bg-grey-bg text-grey-ink',
  purple: 'bg-purple-bg text-purple-ink',
};

export const toneOutlineClasses: Record<Tone, string> = {
  yellow: 'border border-yellow-dot text-yellow-ink',
  blue: 'border border-blue-dot text-blue-ink',
  green: 'border border-green-dot text-green-ink',
  red: 'border border-red-dot text-red-ink',
  grey: 'border border-grey-dot text-grey-ink',
  purple: 'border border-purple-dot text-purple-ink',
};

export const toneBarClasses: Record<Tone, string> = {
  yellow: 'fill-yellow-dot',
  blue: 'fill-blue-dot',
  green: 'fill-green-dot',
  red: 'fill-red-dot',
  grey: 'fill-grey-dot',
  purple: 'fill-purple-dot',
};
