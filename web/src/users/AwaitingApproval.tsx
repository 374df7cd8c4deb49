import type { Role } from '@waybill/contract';
import { Hourglass, UserRoundX } from 'lucide-react';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { refreshUser } from '../platform/session.ts';
import { LinkButton } from '../ui/LinkButton.tsx';
import { roleNames } from './role-names.ts';

/** An account that is not active has no stream: it may read itself and nothing else. */
const lookAgainMs = 3000;

/** After a registration that an administrator has to approve; looks by itself whether that has happened. */
export function AwaitingApproval({ role }: { role: Role }) {
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') void refreshUser();
    };
    const timer = setInterval(look, lookAgainMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return (
    <Notice icon={<Hourglass strokeWidth={1.5} className="size-9" />} title="Your account awaits approval">
      You are registered as {roleNames[role]}. An administrator has to activate your account before you can use it. This
      page goes on by itself as soon as that has happened.
    </Notice>
  );
}

/** What came of it, when it was not an approval. */
export function NotApproved({ removed }: { removed: boolean }) {
  return (
    <Notice
      icon={<UserRoundX strokeWidth={1.5} className="size-9" />}
      title={removed ? 'Your account is no longer there' : 'Your account was not approved'}
    >
      {removed
        ? 'An administrator has removed it or signed you out. If you can still sign in, it is there.'
        : 'An administrator has decided against it. If you think that is a mistake, write to us.'}
    </Notice>
  );
}

function Notice({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <div role="status" className="page flex grow flex-col items-center justify-center py-20 text-center">
      <span
        aria-hidden="true"
        className="mb-6 flex size-20 items-center justify-center rounded-full bg-yellow-bg text-yellow-ink"
      >
        {icon}
      </span>
      <h1 className="text-title font-semibold">{title}</h1>
      <p className="mt-2 max-w-[28rem] text-body text-ink-2">{children}</p>
      <div className="mt-7 flex flex-wrap justify-center gap-2">
        <LinkButton href="/track">Track a Package</LinkButton>
        <LinkButton href="/contact" variant="secondary">
          Contact
        </LinkButton>
        <LinkButton href="/" variant="secondary">
          Return Home
        </LinkButton>
      </div>
    </div>
  );
}
