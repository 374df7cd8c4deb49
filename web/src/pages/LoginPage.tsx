import { useMutation } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { ApiError, fill } from '@waybill/contract';
import { useEffect, useState } from 'react';
import { useOrganisation } from '../platform/organisation.ts';
import { signIn, consumeReturnTo, useSession } from '../platform/session.ts';
import { texts, translated } from '../platform/texts.ts';
import { toast } from '../platform/toasts.ts';
import { TextLink } from '../ui/TextLink.tsx';
import { allowedHref } from '../users/access.ts';
import { dashboardOf } from '../users/dashboards.ts';
import { CodeForm } from '../users/CodeForm.tsx';
import { LoginForm } from '../users/LoginForm.tsx';
import { loginMutation } from '../users/queries.ts';
import { AccountCard } from '../users/AccountCard.tsx';
import { PageSkeleton } from '../ui/PageSkeleton.tsx';

export function LoginPage() {
  const organisation = useOrganisation();
  const { user, permissions, loading } = useSession();
  // Read once on mount: when navigating away, the history changes before this page unmounts.
  const [requested] = useState(useLocation({ select: ({ state }) => state.requested }));
  const navigate = useNavigate();
  // The credentials of the first step, which the second step sends again with the code.
  const [credentials, setCredentials] = useState<{ email: string; password: string } | null>(null);
  const login = useMutation({
    ...loginMutation,
    onSuccess: (reply) => {
      signIn(reply);
      toast({ title: texts.signIn.successTitle, description: texts.signIn.success });
    },
    onError: (error, { email, password }) => {
      if (isCodeMissing(error)) setCredentials({ email, password });
      else if (!isCodeWrong(error))
        toast({
          title: texts.signIn.failedTitle,
          description: textOf(error),
          variant: 'destructive',
        });
    },
  });

  // Also redirects a user who opens this page while signed in.
  useEffect(() => {
    if (user?.mustChangePassword) void navigate({ href: '/new-password', replace: true });
    else if (user?.mustSetUpSecondFactor) void navigate({ href: '/second-factor', replace: true });
    else if (user) {
      const href = consumeReturnTo(user.id, allowedHref(requested, { user, permissions })) ?? dashboardOf(user.role);
      void navigate({ href, replace: true });
    }
  }, [user, permissions, requested, navigate]);

  if (loading || user) return <PageSkeleton />;
  if (credentials)
    return (
      <AccountCard title={texts.signIn.codeTitle} subtitle={texts.signIn.codeSubtitle}>
        <CodeForm
          loading={login.isPending}
          error={isCodeWrong(login.error) ? login.error.message : undefined}
          onSubmit={(code) => login.mutate({ ...credentials, code })}
          onBack={() => {
            login.reset();
            setCredentials(null);
          }}
        />
      </AccountCard>
    );
  return (
    <AccountCard
      title={texts.signIn.title}
      subtitle={fill(texts.signIn.subtitle, { organisation: organisation.name })}
      below={
        <>
          {texts.signIn.noAccount} <TextLink href="/register">{texts.signIn.register}</TextLink>
          <span className="mt-3 block">
            <TextLink href="/forgot">{texts.signIn.forgot}</TextLink>
          </span>
        </>
      }
    >
      <LoginForm
        loading={login.isPending}
        failure={login.error && !isCodeMissing(login.error) ? textOf(login.error) : undefined}
        onSubmit={login.mutate}
      />
    </AccountCard>
  );
}

const textOf = (error: Error) => translated(error.message || 'Invalid email or password. Please try again.');
const isCodeMissing = (error: Error) => error instanceof ApiError && error.code === 'totp_required';
const isCodeWrong = (error: Error | null): error is ApiError =>
  error instanceof ApiError && error.code === 'totp_wrong';
