import { formatShortDay } from '../platform/formats.ts';
import { Checkbox } from '../ui/Checkbox.tsx';
import { countOfLater } from './later.ts';

interface LaterTooProps {
  day: string;
  /** How many of the selected packages are proposed for a later day. */
  later: number;
  taken: boolean;
  onTaken: (taken: boolean) => void;
}

/** What was tried before, and is proposed for a later day, is left out of a day unless this is ticked. */
export function LaterToo({ day, later, taken, onTaken }: LaterTooProps) {
  return (
    <Checkbox
      label={`Also take ${countOfLater(later)} ${later === 1 ? 'package' : 'packages'} proposed for a later day`}
      hint={`Tried before, and to be tried again after ${formatShortDay(day)}`}
      checked={taken}
      onChange={({ target }) => onTaken(target.checked)}
    />
  );
}
