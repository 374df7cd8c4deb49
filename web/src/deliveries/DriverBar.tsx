import { CircleCheck, Box, Truck, UserRoundCog } from 'lucide-react';

export type DriverTab = 'mine' | 'pending' | 'completed' | 'profile';

const tabs = [
  { tab: 'mine', label: 'Mine', href: '/driver/dashboard', icon: Truck },
  { tab: 'pending', label: 'Pending', href: '/driver/dashboard?show=pending', icon: Box },
  { tab: 'completed', label: 'Done', href: '/driver/dashboard?show=completed', icon: CircleCheck },
  { tab: 'profile', label: 'Profile', href: '/account', icon: UserRoundCog },
] as const;

interface DriverBarProps {
  /** Null on a page that is none of the tabs. */
  at: DriverTab | null;
}

/** Bottom bar on phones: the driver's four places, within the thumb's reach. */
export function DriverBar({ at }: DriverBarProps) {
  return (
    <div className="bottom-bar fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden print:hidden">
      <nav aria-label="Driver" className="grid grid-cols-[repeat(auto-fit,minmax(4.75rem,1fr))]">
        {tabs.map(({ tab, label, href, icon: Icon }) => (
          <a
            key={tab}
            href={href}
            aria-current={tab === at ? 'page' : undefined}
            className="flex min-h-14 min-w-0 flex-col items-center justify-center gap-0.5 px-1 text-meta font-medium text-ink-2 focus-visible:-outline-offset-2 aria-[current]:text-brand"
          >
            <Icon aria-hidden="true" className="size-5" />
            {label}
          </a>
        ))}
      </nav>
    </div>
  );
}
