import { useMutation } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { ApiError } from '@waybill/contract';
import { useEffect, useState } from 'react';
import { useOrganisation } from '../platform/organisation.ts';
import { signIn, consumeReturnTo, useSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { TextLink } from '../ui/TextLink.tsx';
import { allowedHref } from '../users/access.ts';
import { dashboardOf } from '../users/dashboards.ts';
import { CodeForm } from '../users/CodeForm.tsx';
import { LoginForm } from '../users/LoginForm.tsx';
import { loginMutation } from '../users/queries.ts';
import { AccountCard } from '../users/AccountCard.tsx';
import { PendingPage } from '../app/PendingPage.tsx';

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
      toast({ title: 'Login successful', description: 'Welcome back!' });
    },
    onError: (error, { email, password }) => {
      if (isCodeMissing(error)) setCredentials({ email, password });
      else if (!isCodeWrong(error))
        toast({
          title: 'Login Failed',
          description: error.message || 'Invalid email or password. Please try again.',
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

  if (loading || user) return <PendingPage />;
  if (credentials)
    return (
      <AccountCard title="Enter the code" subtitle="Your account has a second factor.">
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
      title="Welcome back"
      subtitle={`Sign in to your ${organisation.name} account.`}
      below={
        <>
          Don&apos;t have an account? <TextLink href="/register">Register</TextLink>
          <span className="mt-3 block">
            <TextLink href="/forgot">Forgot password?</TextLink>
          </span>
        </>
      }
    >
      <LoginForm loading={login.isPending} onSubmit={login.mutate} />
    </AccountCard>
  );
}

const isCodeMissing = (error: Error) => error instanceof ApiError && error.code === 'totp_required';
const isCodeWrong = (error: Error | null): error is ApiError =>
  error instanceof ApiError && error.code === 'totp_wrong';
