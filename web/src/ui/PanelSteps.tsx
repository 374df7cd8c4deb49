import { ChevronDown, ChevronUp } from 'lucide-react';
import { formatCount } from '../platform/formats.ts';
import { IconButton } from './IconButton.tsx';
import type { Neighbours } from './neighbours.ts';

interface PanelStepsProps {
  /** What a row is: 'package'. */
  noun: string;
  neighbours: Neighbours;
  onOpen: (id: string) => void;
}

/** '3 of 5', and buttons for the rows before and after the open one. */
export function PanelSteps({ noun, neighbours: { position, total, previous, next }, onOpen }: PanelStepsProps) {
  return (
    <>
      {position !== null && total !== null && (
        <span className="mr-1 text-table whitespace-nowrap figures text-ink-3">
          {formatCount(position)} of {formatCount(Math.max(position, total))}
        </span>
      )}
      <IconButton
        size="sm"
        label={`Previous ${noun}`}
        icon={<ChevronUp aria-hidden="true" />}
        disabled={previous === null}
        onClick={() => previous && onOpen(previous)}
      />
      <IconButton
        size="sm"
        label={`Next ${noun}`}
        icon={<ChevronDown aria-hidden="true" />}
        disabled={next === null}
        onClick={() => next && onOpen(next)}
      />
    </>
  );
}
