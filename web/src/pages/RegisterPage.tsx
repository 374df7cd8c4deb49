import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useOrganisation } from '../platform/organisation.ts';
import { chooseRole, signIn, useChosenRole, useSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { Banner } from '../ui/Banner.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { dashboardOf } from '../users/dashboards.ts';
import { registerMutation, signUpPolicyQuery } from '../users/queries.ts';
import { RegisterForm } from '../users/RegisterForm.tsx';
import { roleNames } from '../users/role-names.ts';
import { AccountCard } from '../users/AccountCard.tsx';
import { AwaitingApproval, NotApproved } from '../users/AwaitingApproval.tsx';
import { PendingPage } from '../app/PendingPage.tsx';

export function RegisterPage() {
  const search = useSearch({ from: '/register' });
  const chosen = useChosenRole();
  const organisation = useOrganisation();
  const { user, loading, ended } = useSession();
  const [waited, setWaited] = useState(false);
  const navigate = useNavigate();
  const { data: policy } = useQuery(signUpPolicyQuery);
  const registration = useMutation({
    ...registerMutation,
    onSuccess: (reply) => {
      signIn(reply);
      toast({
        title: 'Registration successful',
        description: `Welcome to ${organisation.name}! You are registered as ${roleNames[reply.role]}.`,
      });
      if (reply.status === 'active') void navigate({ href: dashboardOf(reply.role) });
    },
    onError: (error) =>
      toast({
        title: 'Registration failed',
        description: error.message || 'Something went wrong. Please try again.',
        variant: 'destructive',
      }),
  });

  // A link of the landing page carries it, which was drawn by the server; from then on this browser remembers it.
  useEffect(() => {
    if (search.role) chooseRole(search.role);
  }, [search.role]);

  // The landing page's card for one's own role, clicked before that page knew who is here.
  const atOwnCard = user?.status === 'active' && user.role === search.role;
  useEffect(() => {
    if (atOwnCard) void navigate({ href: dashboardOf(user.role), replace: true });
  }, [atOwnCard, user, navigate]);

  const waits = user?.status === 'inactive';
  if (waits && !waited) setWaited(true);
  const letIn = waited && user?.status === 'active';
  useEffect(() => {
    if (!letIn) return;
    toast({ title: 'Account activated', description: 'An administrator has approved your account. Welcome!' });
    void navigate({ href: dashboardOf(user.role), replace: true });
  }, [letIn, user, navigate]);

  if (loading || atOwnCard || letIn) return <PendingPage />;
  if (waits) return <AwaitingApproval role={user.role} />;
  if (waited && user?.status === 'suspended') return <NotApproved removed={false} />;
  if (waited && !user && ended === 'invalidated') return <NotApproved removed />;
  return (
    <AccountCard
      title="Create your account"
      subtitle="It takes a minute."
      below={
        <>
          Already have an account? <TextLink href="/login">Sign In</TextLink>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {user && !registration.isSuccess && (
          <Banner icon={<UserCheck />}>
            You are signed in as {user.name}. A new account takes this one&apos;s place in this browser.
          </Banner>
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
