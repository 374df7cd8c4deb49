import { texts } from './texts.ts';
import { useNavigate } from '@tanstack/react-router';
import { ApiError, messages } from '@waybill/contract';
import { getSession } from '../platform/session.ts';
import { translated } from '../platform/texts.ts';
import { toast } from '../platform/toasts.ts';

/** Checks for a session before a delivery is started or completed; without one shows a toast and goes to the login. */
export function useRequireDriver(): (action: 'start' | 'complete') => boolean {
  const navigate = useNavigate();
  return (action) => {
    if (getSession().user !== null) return true;
    toast({
      title: translated('Authentication Required'),
      description: action === 'start' ? texts.signInToStart : texts.signInToComplete,
      variant: 'destructive',
    });
    void navigate({ to: '/login' });
    return false;
  };
}

/** Handles a session that expired before the request (401). A toast, as the dialog is gone by then: its page became a preview. */
export function useLoginOnUnauthorized(): (error: Error) => void {
  const navigate = useNavigate();
  return (error) => {
    if (!(error instanceof ApiError) || error.status !== 401) return;
    toast({
      title: translated('Authentication Required'),
      description: translated(messages.authenticationRequired),
      variant: 'destructive',
    });
    void navigate({ to: '/login' });
  };
}
