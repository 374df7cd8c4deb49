import type { User } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { useState } from 'react';
import { refreshUser } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { ReauthenticationDialog } from './ReauthenticationDialog.tsx';
import { RecoveryCodeList } from './RecoveryCodeList.tsx';
import { useMakeRecoveryCodes, useRemoveSecondFactor } from './second-factor-queries.ts';
import { SetUpSecondFactor } from './SetUpSecondFactor.tsx';

interface SecondFactorSettingsProps {
  user: Pick<User, 'secondFactor'>;
  words: Texts['account']['secondFactor'];
}

/** The user's own second factor: set up, new recovery codes, turn off. */
export function SecondFactorSettings({ user, words }: SecondFactorSettingsProps) {
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
        words={words}
        onStart={() => setSettingUp(true)}
        onCancel={() => setSettingUp(false)}
        onDone={() => {
          setSettingUp(false);
          void refreshUser();
          toast({ title: words.turnedOn, description: words.turnedOnText });
        }}
      />
    );
  if (codes.data) return <RecoveryCodeList words={words} codes={codes.data.recoveryCodes} onDone={codes.reset} />;
  return (
    <>
      <p className="text-ui text-ink-2">{words.isOn}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button variant="secondary" onClick={() => setDialog('codes')}>
          {words.newCodes}
        </Button>
        <Button variant="secondary" onClick={() => setDialog('off')}>
          {words.turnOff}
        </Button>
      </div>
      {dialog === 'off' && (
        <ReauthenticationDialog
          words={words}
          title={words.turnOffTitle}
          description={words.turnOffText}
          confirmLabel={words.turnOff}
          danger
          act={remove}
          error={remove.error}
          onConfirm={(proof) =>
            remove.mutate(proof, {
              onSuccess: () => {
                close();
                toast({ title: words.turnedOff });
              },
            })
          }
          onClose={close}
        />
      )}
      {dialog === 'codes' && (
        <ReauthenticationDialog
          words={words}
          title={words.newCodesTitle}
          description={words.newCodesText}
          confirmLabel={words.makeCodes}
          act={codes}
          error={codes.error}
          onConfirm={(proof) => codes.mutate(proof, { onSuccess: () => setDialog(null) })}
          onClose={close}
        />
      )}
    </>
  );
}
