import { fill, type Role } from '@waybill/contract';
import { Hourglass, UserX } from 'lucide-react';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { refreshUser } from '../platform/session.ts';
import { texts } from '../platform/texts.ts';
import { LinkButton } from '../ui/LinkButton.tsx';

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
    <Notice icon={<Hourglass strokeWidth={1.5} className="size-9" />} title={texts.registration.awaitsTitle}>
      {fill(texts.registration.awaits, { role: texts.roles[role] })}
    </Notice>
  );
}

/** Shown if the registration was not approved, or the account removed. */
export function NotApproved({ removed }: { removed: boolean }) {
  return (
    <Notice
      icon={<UserX strokeWidth={1.5} className="size-9" />}
      title={removed ? texts.registration.removedTitle : texts.registration.notApprovedTitle}
    >
      {removed ? texts.registration.removed : texts.registration.notApproved}
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
        <LinkButton href="/track">{texts.registration.track}</LinkButton>
        <LinkButton href="/contact" variant="secondary">
          {texts.registration.contact}
        </LinkButton>
        <LinkButton href="/" variant="secondary">
          {texts.notFound.home}
        </LinkButton>
      </div>
    </div>
  );
}
