import type { Digest } from '@waybill/contract';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { useSetDigest } from './queries.ts';

/** Whether the e-mails of a day come as one, and when. A change is saved at once. */
export function DigestForm({ digest }: { digest: Digest | null }) {
  const set = useSetDigest();
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <Checkbox
        label="Send me one e-mail a day"
        hint="What is no longer true by then is left out. What cannot wait comes at once: the security of your account, messages from people, and new issues."
        checked={digest !== null}
        onChange={(event) => set.mutate(event.target.checked ? { at: '18:00', timeZone: here } : null)}
      />
      {digest && (
        <div className="mt-2 grid gap-4 sm:grid-cols-2">
          <Field label="At" hint={`Time in ${digest.timeZone}`}>
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
