import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '@waybill/contract';
import { useEffect, useState } from 'react';
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
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  // Remove the token from the address bar and the history, so that it cannot be read there later.
  useEffect(() => {
    if (location.hash) history.replaceState(history.state, '', location.pathname);
  }, []);
  const reset = useMutation({
    ...resetMutation,
    onSuccess: () => {
      toast({ title: 'Password changed', description: 'Sign in with your new password.' });
      void navigate({ href: '/login', replace: true });
    },
    onError: (error) => {
      if (!isAboutFields(error))
        toast({ title: 'Password not changed', description: error.message, variant: 'destructive' });
    },
  });
  const refused = reset.error instanceof ApiError ? reset.error.fields.token : undefined;
  const tokenError = token === '' ? 'This link is not complete. Please copy all of it.' : refused;
  return (
    <AccountCard
      title="Set a new password"
      subtitle="It signs you out everywhere else."
      below={<TextLink href="/login">Back to Sign In</TextLink>}
    >
      {tokenError ? (
        <ErrorState title="This link does not work" message={tokenError}>
          <LinkButton href="/forgot">Ask for a New Link</LinkButton>
        </ErrorState>
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

const isAboutFields = (error: Error) => error instanceof ApiError && Object.keys(error.fields).length > 0;
