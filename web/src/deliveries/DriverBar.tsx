import type { Texts } from '@waybill/contract/texts/en';
import { CircleCheck, Box, Truck, UserRoundCog } from 'lucide-react';

export type DriverTab = 'mine' | 'pending' | 'completed' | 'profile';

const tabs = [
  { tab: 'mine', href: '/driver/dashboard', icon: Truck },
  { tab: 'pending', href: '/driver/dashboard?show=pending', icon: Box },
  { tab: 'completed', href: '/driver/dashboard?show=completed', icon: CircleCheck },
  { tab: 'profile', href: '/account', icon: UserRoundCog },
] as const;

const english = { label: 'Driver', mine: 'Mine', pending: 'Pending', completed: 'Done', profile: 'Profile' };

interface DriverBarProps {
  /** Null on a page that is none of the tabs. */
  at: DriverTab | null;
  /** On a page in other languages. */
  labels?: Texts['driver']['bar'];
}

/** Bottom bar on phones: the driver's four places, within the thumb's reach. */
export function DriverBar({ at, labels = english }: DriverBarProps) {
  return (
    <div className="bottom-bar fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden print:hidden">
      <nav aria-label={labels.label} className="grid grid-cols-[repeat(auto-fit,minmax(4.75rem,1fr))]">
        {tabs.map(({ tab, href, icon: Icon }) => (
          <a
            key={tab}
            href={href}
            aria-current={tab === at ? 'page' : undefined}
            className="flex min-h-14 min-w-0 flex-col items-center justify-center gap-0.5 px-1 text-meta font-medium text-ink-2 focus-visible:-outline-offset-2 aria-[current]:text-brand"
          >
            <Icon aria-hidden="true" className="size-5" />
            {labels[tab]}
          </a>
        ))}
      </nav>
    </div>
  );
}
