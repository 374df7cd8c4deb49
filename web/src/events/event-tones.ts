import type { Tone } from '../ui/tone.ts';

/** The first that matches. */
const tones: readonly [type: RegExp, tone: Tone][] = [
  [/^delivery\.completed$|^package\.collected$|\.resolved$/, 'green'],
  [
    /\.(failed|cancelled|deleted|stranded|pin-locked|unreachable|number-unreachable)$|^issue\.|^incident\.reopened$/,
    'red',
  ],
  [/^package\.(created|next-step|rated|rated-by-recipient)$|\.(released|reopened|investigating)$/, 'yellow'],
  [/^delivery\.|^package\.(changed-by-recipient|change-acknowledged|pin-released)$/, 'blue'],
];

/** The colour of what an event led to. */
export const toneOfEvent = (type: string): Tone => tones.find(([pattern]) => pattern.test(type))?.[1] ?? 'grey';
