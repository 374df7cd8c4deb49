import type { NotificationKind, NotificationPreference } from '@waybill/contract';
import { Checkbox } from '../ui/Checkbox.tsx';
import { useSetRecipientPreference } from './queries.ts';

/** What recipients read, by kind. */
const told: Partial<Record<NotificationKind, { label: string; hint: string }>> = {
  'package.created': { label: 'Registered', hint: 'You have registered a package for them' },
  'delivery.started': { label: 'On its way', hint: 'A driver brings it, and when it is expected' },
  'delivery.assigned': { label: 'On its way with another driver', hint: 'Dispatch has given it to a driver' },
  'delivery.next': { label: 'Next stop', hint: 'They are the next stop of the driver' },
  'delivery.completed': { label: 'Delivered', hint: 'Who took it, and where; or that it was collected' },
  'delivery.failed': { label: 'Not delivered', hint: 'Why, and what comes next; or that it still comes after all' },
  'delivery.released': { label: 'Arrives later', hint: 'Its driver cannot bring it' },
  'package.updated': { label: 'Changed', hint: 'Day, time or address have changed, by you or by them' },
  'package.cancelled': { label: 'Cancelled or returned', hint: 'It does not come' },
  'package.deleted': { label: 'Deleted', hint: 'It does not come' },
};

/** What the recipients of the user's packages are told. A change is saved at once. */
export function RecipientPreferences({ choices }: { choices: NotificationPreference[] }) {
  const set = useSetRecipientPreference();
  return (
    <>
      <p className="pb-3 text-ui text-ink-2">
        By e-mail and SMS, where you enter their address or number with a package. A PIN at the door stands in the
        messages before the delivery, and always on the page of their link.
      </p>
      <ul className="divide-y divide-line border-t border-line">
        {choices.map(({ kind, on }) => (
          <li key={kind} className="py-1">
            <Checkbox
              // Their names differ from those of the user's own choices above.
              label={
                <>
                  <span className="sr-only">Recipients: </span>
                  {told[kind]?.label ?? kind}
                </>
              }
              hint={told[kind]?.hint}
              checked={on}
              onChange={(event) => set.mutate({ kind, on: event.target.checked })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
