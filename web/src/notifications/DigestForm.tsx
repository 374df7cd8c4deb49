import { fill } from '@waybill/contract';
import type { Digest } from '@waybill/contract';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { useSetDigest } from './queries.ts';
import { noticeTexts } from './texts.ts';

/** Whether the emails of a day come as one, and when. A change is saved at once. */
export function DigestForm({ digest }: { digest: Digest | null }) {
  const set = useSetDigest();
  const { digest: words } = noticeTexts();
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <div className="-my-2.5">
        <Checkbox
          label={words.label}
          hint={words.hint}
          checked={digest !== null}
          onChange={(event) => set.mutate(event.target.checked ? { at: '18:00', timeZone: here } : null)}
        />
      </div>
      {digest && (
        <div className="mt-2 grid gap-4 sm:grid-cols-2">
          <Field label={words.at} hint={fill(words.zone, { zone: digest.timeZone })}>
            <Input
              type="time"
              required
              value={digest.at}
              onChange={(event) => event.target.value && set.mutate({ ...digest, at: event.target.value })}
            />
          </Field>
        </div>
      )}
    </>
  );
}
