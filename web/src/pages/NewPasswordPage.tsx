import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '@waybill/contract';
import { useEffect } from 'react';
import { refreshUser, useSession } from '../platform/session.ts';
import { texts, translated } from '../platform/texts.ts';
import { toast } from '../platform/toasts.ts';
import { dashboardOf } from '../users/dashboards.ts';
import { NewPasswordForm } from '../users/NewPasswordForm.tsx';
import { changePasswordMutation } from '../users/queries.ts';
import { AccountCard } from '../users/AccountCard.tsx';
import { PageSkeleton } from '../ui/PageSkeleton.tsx';

/** Sets a new password after a sign-in with a one-time password; until then no other page is accessible. */
export function NewPasswordPage() {
  const { user, loading } = useSession();
  const navigate = useNavigate();
  const change = useMutation({
    ...changePasswordMutation,
    onSuccess: async () => {
      await refreshUser();
      toast({ title: texts.signIn.changedTitle, description: texts.signIn.changedOneTime });
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || Object.keys(error.fields).length === 0)
        toast({ title: texts.signIn.notChangedTitle, description: translated(error.message), variant: 'destructive' });
    },
  });

  const mustChange = user?.mustChangePassword === true;
  useEffect(() => {
    if (!loading && !mustChange) void navigate({ href: user ? dashboardOf(user.role) : '/login', replace: true });
  }, [loading, mustChange, user, navigate]);

  if (!mustChange) return <PageSkeleton />;
  return (
    <AccountCard title={texts.signIn.resetTitle} subtitle={texts.signIn.oneTimeSubtitle}>
      <NewPasswordForm
        currentLabel={texts.signIn.oneTimePassword}
        loading={change.isPending}
        error={change.error}
        onSubmit={({ currentPassword = '', password }) => change.mutate({ currentPassword, newPassword: password })}
      />
    </AccountCard>
  );
}
