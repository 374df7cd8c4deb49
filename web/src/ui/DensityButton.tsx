import { Rows3, Rows4 } from 'lucide-react';
import { setCompactRows, useCompactRows } from './density.ts';
import { IconButton } from './IconButton.tsx';

/** Switches all tables between rows of 40 and 36 px. Phones have none: their rows are cards. */
export function DensityButton() {
  const compact = useCompactRows();
  return (
    <span className="max-md:hidden">
      <IconButton
        size="sm"
        label="Compact rows"
        aria-pressed={compact}
        icon={compact ? <Rows4 aria-hidden="true" /> : <Rows3 aria-hidden="true" />}
        onClick={() => setCompactRows(!compact)}
      />
    </span>
  );
}
