import type { User } from '@waybill/contract';
import { useState } from 'react';
import { refreshUser } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { ReauthenticationDialog } from './ReauthenticationDialog.tsx';
import { RecoveryCodeList } from './RecoveryCodeList.tsx';
import { useMakeRecoveryCodes, useRemoveSecondFactor } from './second-factor-queries.ts';
import { SetUpSecondFactor } from './SetUpSecondFactor.tsx';

/** The user's own second factor: set up, new recovery codes, turn off. */
export function SecondFactorSettings({ user }: { user: Pick<User, 'secondFactor'> }) {
  const [dialog, setDialog] = useState<'off' | 'codes' | null>(null);
  const [settingUp, setSettingUp] = useState(false);
  const remove = useRemoveSecondFactor();
  const codes = useMakeRecoveryCodes();
  const close = () => {
    setDialog(null);
    remove.reset();
    if (codes.error) codes.reset();
  };
  if (!user.secondFactor || settingUp)
    return (
      <SetUpSecondFactor
        onStart={() => setSettingUp(true)}
        onDone={() => {
          setSettingUp(false);
          void refreshUser();
          toast({ title: 'Second factor turned on', description: 'Signing in asks for a code from now on.' });
        }}
      />
    );
  if (codes.data) return <RecoveryCodeList codes={codes.data.recoveryCodes} onDone={codes.reset} />;
  return (
    <>
      <p className="text-ui text-ink-2">It is on: signing in asks for a code of your authenticator app.</p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button variant="secondary" onClick={() => setDialog('codes')}>
          New Recovery Codes
        </Button>
        <Button variant="secondary" onClick={() => setDialog('off')}>
          Turn Off
        </Button>
      </div>
      {dialog === 'off' && (
        <ReauthenticationDialog
          title="Turn off the second factor?"
          description="From then on your password alone signs in."
          confirmLabel="Turn Off"
          danger
          act={remove}
          error={remove.error}
          onConfirm={(proof) =>
            remove.mutate(proof, {
              onSuccess: () => {
                close();
                toast({ title: 'Second factor turned off' });
              },
            })
          }
          onClose={close}
        />
      )}
      {dialog === 'codes' && (
        <ReauthenticationDialog
          title="New recovery codes"
          description="Those that you have now stop working."
          confirmLabel="Make New Codes"
          act={codes}
          error={codes.error}
          onConfirm={(proof) => codes.mutate(proof, { onSuccess: () => setDialog(null) })}
          onClose={close}
        />
      )}
    </>
  );
}
