import { CalendarX, ClockAlert, MapPin, PackageX } from 'lucide-react';
import { Button } from '../ui/Button.tsx';

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
    // On phones one line that scrolls sideways, so that the list begins higher.
    <div className="-mx-1 flex flex-wrap gap-2 px-1 max-sm:-my-1 max-sm:w-[calc(100%+0.5rem)] max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:py-1 max-sm:[scrollbar-width:none] max-sm:*:shrink-0">
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
