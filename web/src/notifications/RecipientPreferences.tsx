import type { NotificationKind, NotificationPreference } from '@waybill/contract';
import { Checkbox } from '../ui/Checkbox.tsx';
import { useSetRecipientPreference } from './queries.ts';
import { noticeTexts } from './texts.ts';

/** What the recipients of the user's packages are told. A change is saved at once. */
export function RecipientPreferences({ choices }: { choices: NotificationPreference[] }) {
  const set = useSetRecipientPreference();
  const { told: words } = noticeTexts();
  const kinds: Partial<Record<NotificationKind, { label: string; hint: string }>> = words.kinds;
  return (
    <>
      <p className="pb-3 text-ui text-ink-2">{words.intro}</p>
      <ul className="divide-y divide-line border-t border-line">
        {choices.map(({ kind, on }) => (
          <li key={kind} className="py-1">
            <Checkbox
              // Their names differ from those of the user's own choices above.
              label={
                <>
                  <span className="sr-only">{words.whom} </span>
                  {kinds[kind]?.label ?? kind}
                </>
              }
              hint={kinds[kind]?.hint}
              checked={on}
              onChange={(event) => set.mutate({ kind, on: event.target.checked })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
