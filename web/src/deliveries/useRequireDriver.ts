import { useNavigate } from '@tanstack/react-router';
import { ApiError, messages } from '@waybill/contract';
import { getSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';

/** Only who is signed in may start or complete a delivery; others are told so and led to the login. */
export function useRequireDriver(): (deed: 'start' | 'complete') => boolean {
  const navigate = useNavigate();
  return (deed) => {
    if (getSession().user !== null) return true;
    toast({
      title: 'Authentication Required',
      description: `Please log in to ${deed} a delivery`,
      variant: 'destructive',
    });
    void navigate({ to: '/login' });
    return false;
  };
}

/** For a session that turns out to be over at the deed itself. The dialog is gone by then: its page became a preview. */
export function useLoginOnUnauthorized(): (error: Error) => void {
  const navigate = useNavigate();
  return (error) => {
    if (!(error instanceof ApiError) || error.status !== 401) return;
    toast({ title: 'Authentication Required', description: messages.authenticationRequired, variant: 'destructive' });
    void navigate({ to: '/login' });
  };
}
