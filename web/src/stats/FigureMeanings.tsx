import { ChevronRight } from 'lucide-react';
import { english, type FigureWords } from './breakdown-columns.tsx';

/** A sentence for each figure: what it counts. Folded, below the figures of a period. */
export const FigureMeanings = ({ words = english }: { words?: FigureWords }) => (
  <details className="group/meaning border-t border-line px-5">
    <summary className="flex min-h-11 cursor-pointer list-none items-center gap-1.5 text-ui font-medium text-brand [&::-webkit-details-marker]:hidden">
      <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open/meaning:rotate-90" />
      {words.meaning}
    </summary>
    <dl className="grid gap-x-6 gap-y-3 pb-4 text-ui @min-[44rem]:grid-cols-2">
      {(Object.keys(words.meanings) as (keyof FigureWords['meanings'])[]).map((figure) => (
        <div key={figure}>
          <dt className="font-medium text-ink">{words[figure]}</dt>
          <dd className="text-ink-2">{words.meanings[figure]}</dd>
        </div>
      ))}
    </dl>
  </details>
);
