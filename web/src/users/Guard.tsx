import { useNavigate } from '@tanstack/react-router';
import { messages } from '@waybill/contract';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useSession } from '../platform/session.ts';
import { translated } from '../platform/texts.ts';
import { toast } from '../platform/toasts.ts';
import { PageSkeleton } from '../ui/PageSkeleton.tsx';
import { accessDenial } from './access.ts';
import type { RequestedPage, Requirement } from './access.ts';

const redirects = { login: '/login', 'new password': '/new-password', 'second factor': '/second-factor' };

interface GuardProps extends Requirement {
  /** Shown instead of redirecting, if a permission or role is missing. */
  fallback?: ReactNode;
  /** The redirect target if access is denied. */
  fallbackPath?: string;
  /** Admits signed-out visitors, who see a preview of the page. */
  allowSignedOut?: boolean;
  children: ReactNode;
}

/** Protects a page: waits for the session, then renders the page, or shows why access is denied and redirects. */
export function Guard({ fallback, fallbackPath = '/', allowSignedOut = false, children, ...required }: GuardProps) {
  const session = useSession();
  const navigate = useNavigate();
  const preview = allowSignedOut && !session.user;
  const denial = session.loading || preview ? null : accessDenial(session, required);
  const shown = denial?.title === 'Access Denied' && fallback !== undefined;
  const redirect = denial !== null && !shown;
  // After a sign-out the redirect to the login page needs no toast.
  const silent = session.user === null && session.ended === 'signed-out';

  // A preview that replaces the page of an invalidated session shows a toast; one that was opened signed out does not.
  const previewAfterSession = preview && !session.loading && session.ended === 'invalidated';
  useEffect(() => {
    if (previewAfterSession)
      toast({
        title: translated('Authentication Required'),
        description: translated(messages.authenticationRequired),
        variant: 'destructive',
      });
  }, [previewAfterSession]);

  const { title, goTo } = denial ?? {};
  const expired = session.user === null && session.ended === 'invalidated';
  const description = expired && denial ? messages.authenticationRequired : denial?.description;
  const { permissions, roles, requireAll } = required;
  useEffect(() => {
    if (!redirect) return;
    if (!silent && title !== undefined)
      toast({ title: translated(title), description: description && translated(description), variant: 'destructive' });
    const requested: RequestedPage = {
      href: location.pathname + location.search,
      requirement: { permissions, roles, requireAll },
    };
    void navigate({
      href: goTo && goTo !== 'fallback' ? redirects[goTo] : fallbackPath,
      replace: true,
      ...(goTo === 'login' && !silent && { state: { requested } }),
    });
  }, [redirect, silent, title, description, goTo, fallbackPath, navigate, permissions, roles, requireAll]);

  if (shown) return fallback;
  if (session.loading || redirect) return <PageSkeleton />;
  return children;
}
