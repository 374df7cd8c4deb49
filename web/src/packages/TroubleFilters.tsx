import { CalendarX, ClockAlert, MapPin, PackageX } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { tellHiddenEnds } from '../ui/scrollable.ts';

interface Trouble {
  failed?: true | undefined;
  overdue?: true | undefined;
  atRisk?: true | undefined;
  needsPin?: true | undefined;
}

const filters = [
  { name: 'failed', label: 'Failed before', icon: PackageX },
  { name: 'overdue', label: 'Overdue', icon: CalendarX },
  { name: 'atRisk', label: 'At risk', icon: ClockAlert },
  { name: 'needsPin', label: 'Needs a pin', icon: MapPin },
] as const;

/** Toggle filters for packages that need attention. */
export function TroubleFilters({ search, onSearch }: { search: Trouble; onSearch: (change: Trouble) => void }) {
  return (
    <div ref={tellHiddenEnds} className="filter-line fading-ends">
      {filters.map(({ name, label, icon: Icon }) => (
        <Button
          key={name}
          variant={search[name] ? 'primary' : 'secondary'}
          aria-pressed={search[name] === true}
          icon={<Icon aria-hidden="true" className="size-4" />}
          onClick={() => onSearch({ [name]: search[name] ? undefined : true })}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
