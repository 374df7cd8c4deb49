import type { QuietHours } from '@waybill/contract';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { useSetQuietHours } from './queries.ts';

/** When nothing is sent to an address. A change is saved at once. */
export function QuietHoursForm({ quietHours }: { quietHours: QuietHours | null }) {
  const set = useSetQuietHours();
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const change = (times: Partial<QuietHours>) => quietHours && set.mutate({ ...quietHours, ...times });
  return (
    <>
      <Checkbox
        label="Send me nothing at night"
        hint="It comes in the morning if it is still true then. What concerns the security of your account comes at once."
        checked={quietHours !== null}
        onChange={(event) => set.mutate(event.target.checked ? { from: '22:00', to: '07:00', timeZone: here } : null)}
      />
      {quietHours && (
        <div className="mt-2 grid gap-4 sm:grid-cols-2">
          <Field label="From">
            <Input
              type="time"
              required
              value={quietHours.from}
              onChange={(event) => event.target.value && change({ from: event.target.value })}
            />
          </Field>
          <Field label="To" hint={`Time in ${quietHours.timeZone}`}>
            <Input
              type="time"
              required
              value={quietHours.to}
              onChange={(event) => event.target.value && change({ to: event.target.value })}
            />
          </Field>
        </div>
      )}
    </>
  );
}
