import type { NotificationPreference } from '@waybill/contract';
import { Checkbox } from '../ui/Checkbox.tsx';
import { kindTexts } from './kinds.ts';
import { useSetPreference } from './queries.ts';

/** Everything one can be told of; a tick is saved at once. */
export function PreferenceList({ preferences }: { preferences: readonly NotificationPreference[] }) {
  const set = useSetPreference();
  return (
    <ul className="divide-y divide-line">
      {preferences.map(({ kind, on, essential }) => (
        <li key={kind} className="py-1">
          <Checkbox
            label={kindTexts[kind].label}
            hint={essential ? `${kindTexts[kind].hint}. This cannot be turned off.` : kindTexts[kind].hint}
            checked={on}
            disabled={essential}
            onChange={(event) => set.mutate({ kind, on: event.target.checked })}
          />
        </li>
      ))}
    </ul>
  );
}
