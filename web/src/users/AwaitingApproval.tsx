import type { Role } from '@waybill/contract';
import { Hourglass, UserRoundX } from 'lucide-react';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { refreshUser } from '../platform/session.ts';
import { LinkButton } from '../ui/LinkButton.tsx';
import { roleNames } from './role-names.ts';

/** Polling interval. An inactive account has no live stream: it may only read itself. */
const pollMs = 3000;

/** Shown after a registration that needs an administrator's approval; polls until it is decided. */
export function AwaitingApproval({ role }: { role: Role }) {
  useEffect(() => {
    const poll = () => {
      if (document.visibilityState === 'visible') void refreshUser();
    };
    const timer = setInterval(poll, pollMs);
    document.addEventListener('visibilitychange', poll);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', poll);
    };
  }, []);
  return (
    <Notice icon={<Hourglass strokeWidth={1.5} className="size-9" />} title="Your account awaits approval">
      You are registered as {roleNames[role]}. An administrator has to activate your account before you can use it. This
      page goes on by itself as soon as that has happened.
    </Notice>
  );
}

/** Shown if the registration was not approved, or the account removed. */
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
