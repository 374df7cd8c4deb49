import { useNavigate } from '@tanstack/react-router';
import { messages } from '@waybill/contract';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { Spinner } from '../ui/Spinner.tsx';
import { accessDenial } from './access.ts';
import type { RequestedPage, Requirement } from './access.ts';

const places = { login: '/login', 'new password': '/new-password', 'second factor': '/second-factor' };

interface GuardProps extends Requirement {
  /** Shown instead of leaving, when a permission or role is missing. */
  fallback?: ReactNode;
  /** Where to when it is refused. */
  fallbackPath?: string;
  /** Lets signed-out visitors in: the page shows them a preview. */
  allowSignedOut?: boolean;
  children: ReactNode;
}

/** A protected page: waits for the session, then shows the page or says why not and leads away. */
export function Guard({ fallback, fallbackPath = '/', allowSignedOut = false, children, ...required }: GuardProps) {
  const session = useSession();
  const navigate = useNavigate();
  const preview = allowSignedOut && !session.user;
  const denial = session.loading || preview ? null : accessDenial(session, required);
  const shown = denial?.title === 'Access Denied' && fallback !== undefined;
  const leave = denial !== null && !shown;
  // After a sign-out the redirect to the login page needs no toast.
  const quiet = session.user === null && session.ended === 'signed-out';

  // A preview that replaces the page of an invalidated session shows a toast; one that was opened signed out does not.
  const lapsed = preview && !session.loading && session.ended === 'invalidated';
  useEffect(() => {
    if (lapsed)
      toast({ title: 'Authentication Required', description: messages.authenticationRequired, variant: 'destructive' });
  }, [lapsed]);

  const { title, goTo } = denial ?? {};
  const expired = session.user === null && session.ended === 'invalidated';
  const description = expired && denial ? messages.authenticationRequired : denial?.description;
  const { permissions, roles, requireAll } = required;
  useEffect(() => {
    if (!leave) return;
    if (!quiet && title !== undefined) toast({ title, description, variant: 'destructive' });
    const requested: RequestedPage = {
      href: location.pathname + location.search,
      requirement: { permissions, roles, requireAll },
    };
    void navigate({
      href: goTo && goTo !== 'fallback' ? places[goTo] : fallbackPath,
      replace: true,
      ...(goTo === 'login' && !quiet && { state: { requested } }),
    });
  }, [leave, quiet, title, description, goTo, fallbackPath, navigate, permissions, roles, requireAll]);

  if (shown) return fallback;
  if (session.loading || leave)
    return (
      <div className="flex grow items-center justify-center py-24 text-ink-3">
        <Spinner size="lg" label="Loading" />
      </div>
    );
  return children;
}
