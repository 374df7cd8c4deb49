import type { Delivery } from '@waybill/contract';
import { formatWeight } from '../platform/formats.ts';
import { Checkbox } from '../ui/Checkbox.tsx';
import { texts } from './round-texts.ts';

interface DoorPackagesProps {
  /** The stop in view: always handed over. */
  delivery: Delivery;
  /** The other packages of its door, ticked from the start. */
  door: Delivery[];
  /** For somebody else at the address, or later in the round: not ticked. */
  others: Delivery[];
  /** Ids of what is handed over besides the stop in view. */
  chosen: readonly string[];
  onChosen: (chosen: string[]) => void;
}

/** Which packages of a door are handed over with one proof. */
export function DoorPackages({ delivery, door, others, chosen, onChosen }: DoorPackagesProps) {
  const toggle = (id: string) => onChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  const box = (pkg: Delivery) => (
    <Checkbox
      key={pkg.id}
      label={pkg.packageName}
      hint={[pkg.recipientName, pkg.trackingId, formatWeight(pkg.weight)].filter(Boolean).join(' · ')}
      checked={pkg.id === delivery.id || chosen.includes(pkg.id)}
      disabled={pkg.id === delivery.id}
      onChange={() => toggle(pkg.id)}
    />
  );
  return (
    <div className="flex flex-col gap-3">
      {door.length > 0 && (
        <fieldset className="rounded-card border border-line px-4 py-2">
          <legend className="px-1 text-ui font-medium">{texts.atThisDoor}</legend>
          {[delivery, ...door].map(box)}
        </fieldset>
      )}
      {others.length > 0 && (
        <fieldset className="rounded-card border border-line px-4 py-2">
          <legend className="px-1 text-ui font-medium">{texts.atThisAddress}</legend>
          {others.map(box)}
        </fieldset>
      )}
    </div>
  );
}
