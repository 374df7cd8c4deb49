import type { ReactNode } from 'react';

interface AccountCardProps {
  title: string;
  subtitle: ReactNode;
  /** The link to the other form: from login to register, and back. */
  below?: ReactNode;
  children: ReactNode;
}

/** The narrow card of login, registration and password forms. */
export function AccountCard({ title, subtitle, below, children }: AccountCardProps) {
  return (
    <div className="page flex grow flex-col items-center py-10 md:py-16">
      <div className="w-full max-w-[27rem]">
        <div className="mb-7 text-center">
          <h1 className="text-title font-semibold md:text-stat">{title}</h1>
          <p className="mt-2 text-body text-ink-2">{subtitle}</p>
        </div>
        <div className="rounded-card border border-line bg-surface p-5 sm:p-7">{children}</div>
        {below && <p className="mt-6 text-center text-ui text-ink-2">{below}</p>}
      </div>
    </div>
  );
}
