import type { ReactNode } from 'react';
import { classes } from '../ui/classes.ts';

interface AccountCardProps {
  title: string;
  subtitle: ReactNode;
  /** The link to the other form: from login to register, and back. */
  below?: ReactNode;
  children: ReactNode;
}

/** The paper of login, registration and password forms: a ticket, torn between the form and the ways around it. */
export function AccountCard({ title, subtitle, below, children }: AccountCardProps) {
  return (
    <div className="page flex grow flex-col items-center py-10 md:py-16">
      <div className="w-full max-w-[27rem]">
        <div className="mb-7 text-center">
          <h1 className="text-title font-semibold md:text-stat">{title}</h1>
          {subtitle && <p className="mt-2 text-body text-balance text-ink-2">{subtitle}</p>}
        </div>
        <div className="ticket">
          <div className={classes('ticket-body p-5! sm:p-7!', !below && 'ticket-whole')}>{children}</div>
          {below && <p className="ticket-stub p-5! text-center text-ui text-ink-2">{below}</p>}
        </div>
      </div>
    </div>
  );
}
