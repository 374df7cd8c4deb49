import type { Role } from '@waybill/contract';
import { Hourglass } from 'lucide-react';
import { LinkButton } from '../ui/LinkButton.tsx';
import { roleNames } from '../users/role-names.ts';

/** After a registration that an administrator has to approve. */
export function AwaitingApproval({ role }: { role: Role }) {
  return (
    <div className="page flex grow flex-col items-center justify-center py-20 text-center">
      <span
        aria-hidden="true"
        className="mb-6 flex size-20 items-center justify-center rounded-full bg-yellow-bg text-yellow-ink"
      >
        <Hourglass strokeWidth={1.5} className="size-9" />
      </span>
      <h1 className="text-title font-semibold">Your account awaits approval</h1>
      <p className="mt-2 max-w-[28rem] text-body text-ink-2">
        You are registered as {roleNames[role]}. An administrator has to activate your account before you can use it.
        Sign in again later to see whether it is active.
      </p>
      <div className="mt-7 flex flex-wrap justify-center gap-2">
        <LinkButton href="/track">Track a Package</LinkButton>
        <LinkButton href="/" variant="secondary">
          Return Home
        </LinkButton>
      </div>
    </div>
  );
}
