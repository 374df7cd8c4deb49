import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '@waybill/contract';
import { useEffect, useState } from 'react';
import { texts, translated } from '../platform/texts.ts';
import { toast } from '../platform/toasts.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { NewPasswordForm } from '../users/NewPasswordForm.tsx';
import { resetMutation } from '../users/queries.ts';
import { AccountCard } from '../users/AccountCard.tsx';

/** The target of a password reset link: `/reset#token=…`. */
export function ResetPage() {
  const navigate = useNavigate();
  const [token, setToken] = useState(tokenInAddress);
  const reset = useMutation({
    ...resetMutation,
    onSuccess: () => {
      toast({ title: texts.signIn.changedTitle, description: texts.signIn.changed });
      void navigate({ href: '/login', replace: true });
    },
    onError: (error) => {
      if (!isAboutFields(error))
        toast({ title: texts.signIn.notChangedTitle, description: translated(error.message), variant: 'destructive' });
    },
  });
  const { reset: forgetAnswer } = reset;
  useEffect(() => {
    // Remove the token from the address bar and the history, so that it cannot be read there later.
    const hide = () => location.hash && history.replaceState(history.state, '', location.pathname);
    hide();
    // The whole link pasted into the tab of an incomplete one loads no page.
    const onHash = () => {
      if (tokenInAddress()) {
        setToken(tokenInAddress());
        forgetAnswer();
      }
      hide();
    };
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, [forgetAnswer]);
  const refused = reset.error instanceof ApiError ? reset.error.fields.token : undefined;
  const tokenError = token === '' ? texts.signIn.linkIncomplete : refused;
  return (
    <AccountCard
      title={texts.signIn.resetTitle}
      subtitle={tokenError ? null : texts.signIn.resetSubtitle}
      below={<TextLink href="/login">{texts.signIn.back}</TextLink>}
    >
      {tokenError ? (
        <div className="[&>[role=alert]]:px-0 [&>[role=alert]]:pt-2 [&>[role=alert]]:pb-6">
          <ErrorState title={texts.signIn.linkTitle} message={tokenError} />
          <LinkButton size="lg" fullWidth href="/forgot">
            {texts.signIn.newLink}
          </LinkButton>
        </div>
      ) : (
        <NewPasswordForm
          loading={reset.isPending}
          error={reset.error}
          onSubmit={({ password }) => reset.mutate({ token, password })}
        />
      )}
    </AccountCard>
  );
}

const tokenInAddress = () => new URLSearchParams(location.hash.slice(1)).get('token') ?? '';

const isAboutFields = (error: Error) => error instanceof ApiError && Object.keys(error.fields).length > 0;
