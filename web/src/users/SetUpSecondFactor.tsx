import { ConfirmCodeInput } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { translated } from '../platform/texts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Field } from '../ui/Field.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { accountTexts } from './account-texts.ts';
import { CodeInput } from './CodeInput.tsx';
import { RecoveryCodeList } from './RecoveryCodeList.tsx';
import { useCancelSecondFactor, useConfirmSecondFactor, useStartSecondFactor } from './second-factor-queries.ts';

const QrCode = lazyComponent(() => importWithRetry(() => import('../ui/QrCode.tsx')).then((module) => module.QrCode));

const focus = (button: HTMLButtonElement | null) => button?.focus();

interface SetUpSecondFactorProps {
  /** From here until `onDone` this must stay mounted: it holds the recovery codes, after the account already has its second factor. */
  onStart: () => void;
  onDone: () => void;
  /** Back to before `onStart`; without it, setting up cannot be left. */
  onCancel?: () => void;
  words: Texts['account']['secondFactor'];
  /** On a page of its own, where setting it up is the verb. */
  isAlone?: boolean;
}

/** Sets up a second factor: shows the secret for the authenticator app, verifies a first code, then shows the recovery codes. */
export function SetUpSecondFactor({ onStart, onDone, onCancel, words, isAlone = false }: SetUpSecondFactorProps) {
  const start = useStartSecondFactor();
  const confirm = useConfirmSecondFactor();
  const cancel = useCancelSecondFactor();
  const form = useForm(ConfirmCodeInput, ({ code }) => confirm.mutate(code), {
    initial: { code: '' },
    refusal: confirm.error,
    unsaved: false,
  });
  const error = start.error?.message ?? cancel.error?.message ?? form.formError;
  if (confirm.data) return <RecoveryCodeList words={words} codes={confirm.data.recoveryCodes} onDone={onDone} />;
  return (
    <div className="flex flex-col gap-4">
      {error && (
        <p role="alert" className="text-ui text-danger">
          {translated(error)}
        </p>
      )}
      {!start.data && (
        <span className="flex">
          <Button
            size={isAlone ? 'lg' : 'md'}
            variant={isAlone ? 'primary' : 'secondary'}
            fullWidth={isAlone}
            loading={start.isPending}
            loadingText={words.moment}
            // The focus returns here from Cancel.
            ref={cancel.isSuccess ? focus : undefined}
            onClick={() => {
              onStart();
              start.mutate();
            }}
          >
            {words.setUp}
          </Button>
        </span>
      )}
      {start.data && (
        <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
          <p className="text-ui text-ink-2">{words.scan}</p>
          <span className="min-h-54 min-w-54 self-center rounded-card bg-paper p-3">
            <QrCode text={start.data.url} label={words.qr} />
          </span>
          {/* A phone cannot scan what it shows itself. */}
          <span className="md:pointer-fine:hidden">
            <LinkButton href={start.data.url} variant="secondary" fullWidth>
              {words.openApp}
            </LinkButton>
          </span>
          <p className="flex items-center justify-between gap-2 rounded-card bg-sunken py-2 pr-2 pl-4">
            <span className="code text-ui text-balance wrap-anywhere">
              {start.data.secret.replace(/.{4}(?=.)/g, '$& ')}
            </span>
            <CopyButton text={start.data.secret} label={words.copyKey} />
          </p>
          <Field label={words.code} hint={words.codeHint} error={form.formState.errors.code?.message} required>
            <CodeInput {...form.register('code')} />
          </Field>
          <Button
            type="submit"
            size="lg"
            variant={isAlone ? 'primary' : 'secondary'}
            disabled={cancel.isPending}
            loading={confirm.isPending}
            loadingText={words.checking}
          >
            {words.turnOn}
          </Button>
          {onCancel && (
            <Button
              variant="ghost"
              // A code that is being checked may turn it on.
              disabled={confirm.isPending}
              loading={cancel.isPending}
              onClick={() =>
                cancel.mutate(undefined, {
                  onSuccess: () => {
                    form.reset();
                    confirm.reset();
                    start.reset();
                    onCancel();
                  },
                })
              }
            >
              {accountTexts().cancel}
            </Button>
          )}
        </form>
      )}
    </div>
  );
}
