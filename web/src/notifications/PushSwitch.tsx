import type { NotificationPreferences } from '@waybill/contract';
import { Checkbox } from '../ui/Checkbox.tsx';
import { PermissionError, usePushState, useSetPush, type PushAbility } from './push.ts';

const hints: Record<PushAbility, string> = {
  able: 'Also while Waybill is closed. They never name people or packages.',
  denied: 'Notifications of this site are blocked. Allow them in the settings of your browser, then come back.',
  install:
    'On an iPhone or iPad, first add Waybill to the home screen: Share, then Add to Home Screen. Open it from there.',
  unsupported: 'This browser cannot show them. They need https and a current browser, and no private window.',
};

/** Turns pushed messages on and off for this browser. */
export function PushSwitch({ preferences: { pushKey, isPushed } }: { preferences: NotificationPreferences }) {
  const { data: state } = usePushState();
  const set = useSetPush(pushKey);
  const ability = state?.ability ?? 'able';
  const isOn = isPushed && state?.isSubscribed === true && ability === 'able';
  return (
    <>
      <Checkbox
        label="Show messages on this device"
        hint={set.isPending && set.variables ? 'Answer the question of your browser.' : hints[ability]}
        checked={set.isPending ? set.variables : isOn}
        disabled={set.isPending || !state || ability !== 'able'}
        onChange={(event) => set.mutate(event.target.checked)}
      />
      {set.error && (
        <p role="alert" className="mt-1 text-ui text-danger">
          {set.error instanceof PermissionError
            ? 'Your browser has not been allowed to show notifications.'
            : 'This device could not be registered. Please try again.'}
        </p>
      )}
    </>
  );
}
