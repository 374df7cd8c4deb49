import { fill } from '@waybill/contract';
import type { QuietHours } from '@waybill/contract';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { useSetQuietHours } from './queries.ts';
import { noticeTexts } from './texts.ts';

/** When nothing is sent to an address. A change is saved at once. */
export function QuietHoursForm({ quietHours }: { quietHours: QuietHours | null }) {
  const set = useSetQuietHours();
  const { quiet: words } = noticeTexts();
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const change = (times: Partial<QuietHours>) => quietHours && set.mutate({ ...quietHours, ...times });
  return (
    <>
      <div className="-my-2.5">
        <Checkbox
          label={words.label}
          hint={words.hint}
          checked={quietHours !== null}
          onChange={(event) => set.mutate(event.target.checked ? { from: '22:00', to: '07:00', timeZone: here } : null)}
        />
      </div>
      {quietHours && (
        <div className="mt-2 grid gap-4 sm:grid-cols-2">
          <Field label={words.from}>
            <Input
              type="time"
              required
              value={quietHours.from}
              onChange={(event) => event.target.value && change({ from: event.target.value })}
            />
          </Field>
          <Field label={words.to} hint={fill(words.zone, { zone: quietHours.timeZone })}>
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
