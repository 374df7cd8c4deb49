import type { Channel, NotificationPreference } from '@waybill/contract';
import { Checkbox } from '../ui/Checkbox.tsx';
import { kindTexts } from './kinds.ts';
import { useSetPreference } from './queries.ts';

interface PreferenceListProps {
  channel: Channel;
  preferences: readonly NotificationPreference[];
}

/** Every kind that the user can be notified of by one channel. A change is saved at once. */
export function PreferenceList({ channel, preferences }: PreferenceListProps) {
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
            onChange={(event) => set.mutate({ channel, kind, on: event.target.checked })}
          />
        </li>
      ))}
    </ul>
  );
}
