import type { NotificationPreferences } from '@waybill/contract';
import { Checkbox } from '../ui/Checkbox.tsx';
import { TickBox } from '../ui/TickBox.tsx';
import { kindTexts } from './kinds.ts';
import { useSetPreference } from './queries.ts';

/** Every kind that the user can be notified of, in the app and by e-mail. A change is saved at once. */
export function PreferenceList({ preferences: { inApp, email } }: { preferences: NotificationPreferences }) {
  const set = useSetPreference();
  const byMail = new Map(email.map((one) => [one.kind, one]));
  return (
    <>
      <p aria-hidden="true" className="flex justify-between pb-2 text-table text-ink-3">
        <span>In the app</span>
        <span>By e-mail</span>
      </p>
      <ul className="divide-y divide-line border-t border-line">
        {inApp.map(({ kind, on, essential }) => (
          <li key={kind} className="flex items-start justify-between gap-3 py-1">
            <Checkbox
              label={kindTexts[kind].label}
              hint={essential ? `${kindTexts[kind].hint}. This cannot be turned off.` : kindTexts[kind].hint}
              checked={on}
              disabled={essential}
              onChange={(event) => set.mutate({ channel: 'in-app', kind, on: event.target.checked })}
            />
            <span className="mt-1 pointer-coarse:-mt-0.5">
              <TickBox
                label={`By e-mail: ${kindTexts[kind].label}`}
                checked={byMail.get(kind)?.on ?? false}
                disabled={essential}
                onToggle={() => set.mutate({ channel: 'email', kind, on: !byMail.get(kind)?.on })}
              />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
