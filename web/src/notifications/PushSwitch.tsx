import type { NotificationPreferences } from '@waybill/contract';
import { Checkbox } from '../ui/Checkbox.tsx';
import { PermissionError, usePushState, useSetPush } from './push.ts';
import { noticeTexts } from './texts.ts';

/** Turns pushed messages on and off for this browser. */
export function PushSwitch({ preferences: { pushKey, isPushed } }: { preferences: NotificationPreferences }) {
  const { data: state } = usePushState();
  const { push: words } = noticeTexts();
  const set = useSetPush(pushKey);
  const ability = state?.ability ?? 'able';
  const isOn = isPushed && state?.isSubscribed === true && ability === 'able';
  return (
    <>
      <div className="-my-2.5">
        <Checkbox
          label={words.label}
          hint={set.isPending && set.variables ? words.answer : words[ability]}
          checked={set.isPending ? set.variables : isOn}
          disabled={set.isPending || !state || ability !== 'able'}
          onChange={(event) => set.mutate(event.target.checked)}
        />
      </div>
      {set.error && (
        <p role="alert" className="mt-1 text-ui text-danger">
          {set.error instanceof PermissionError ? words.refused : words.failed}
        </p>
      )}
    </>
  );
}
