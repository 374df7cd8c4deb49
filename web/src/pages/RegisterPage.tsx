import { fill } from '@waybill/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useOrganisation } from '../platform/organisation.ts';
import { chooseRole, signIn, useChosenRole, useSession } from '../platform/session.ts';
import { texts, translated } from '../platform/texts.ts';
import { toast } from '../platform/toasts.ts';
import { Banner } from '../ui/Banner.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { dashboardOf } from '../users/dashboards.ts';
import { registerMutation, signUpPolicyQuery } from '../users/queries.ts';
import { RegisterForm } from '../users/RegisterForm.tsx';
import { AccountCard } from '../users/AccountCard.tsx';
import { AwaitingApproval, NotApproved } from '../users/AwaitingApproval.tsx';
import { PageSkeleton } from '../ui/PageSkeleton.tsx';

export function RegisterPage() {
  const search = useSearch({ from: '/register' });
  const chosen = useChosenRole();
  const organisation = useOrganisation();
  const { user, loading, ended } = useSession();
  const [wasAwaitingApproval, setWasAwaitingApproval] = useState(false);
  const navigate = useNavigate();
  const { data: policy } = useQuery(signUpPolicyQuery);
  const registration = useMutation({
    ...registerMutation,
    onSuccess: (reply) => {
      signIn(reply);
      toast({
        title: texts.registration.successTitle,
        description: fill(texts.registration.success, {
          organisation: organisation.name,
          role: texts.roles[reply.role],
        }),
      });
      if (reply.status === 'active') void navigate({ href: dashboardOf(reply.role) });
    },
    onError: (error) =>
      toast({
        title: texts.registration.failedTitle,
        description: translated(error.message) || texts.registration.failed,
        variant: 'destructive',
      }),
  });

  // The server-rendered landing page passes the role in the URL; store it in this browser.
  useEffect(() => {
    if (search.role) chooseRole(search.role);
  }, [search.role]);

  // The user clicked the card of their own role on the landing page before it was hydrated: go to the dashboard.
  const atOwnCard = user?.status === 'active' && user.role === search.role;
  useEffect(() => {
    if (atOwnCard) void navigate({ href: dashboardOf(user.role), replace: true });
  }, [atOwnCard, user, navigate]);

  const awaitsApproval = user?.status === 'inactive';
  if (awaitsApproval && !wasAwaitingApproval) setWasAwaitingApproval(true);
  const approved = wasAwaitingApproval && user?.status === 'active';
  useEffect(() => {
    if (!approved) return;
    toast({ title: texts.registration.activatedTitle, description: texts.registration.activated });
    void navigate({ href: dashboardOf(user.role), replace: true });
  }, [approved, user, navigate]);

  if (loading || atOwnCard || approved) return <PageSkeleton />;
  if (awaitsApproval) return <AwaitingApproval role={user.role} />;
  if (wasAwaitingApproval && user?.status === 'suspended') return <NotApproved removed={false} />;
  if (wasAwaitingApproval && !user && ended === 'invalidated') return <NotApproved removed />;
  return (
    <AccountCard
      title={texts.registration.title}
      subtitle={texts.registration.subtitle}
      below={
        <>
          {texts.registration.haveAccount} <TextLink href="/login">{texts.registration.signIn}</TextLink>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {user && !registration.isSuccess && (
          <Banner icon={<UserCheck />}>{fill(texts.registration.signedInAs, { name: user.name })}</Banner>
        )}
        <RegisterForm
          role={search.role ?? chosen ?? 'owner'}
          policy={policy}
          loading={registration.isPending}
          error={registration.error}
          onSubmit={({ name, email, password, userType }) =>
            registration.mutate({ name, email, password, role: userType })
          }
        />
      </div>
    </AccountCard>
  );
}
