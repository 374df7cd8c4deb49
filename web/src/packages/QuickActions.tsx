import { Bell, FileUp, History, MessageSquareWarning, PackagePlus, ScanSearch } from 'lucide-react';
import { useId } from 'react';
import { useCan } from '../users/useCan.ts';

const actions = [
  { label: 'Track a New Package', href: '/track', icon: ScanSearch, creates: false },
  { label: 'View Delivery History', href: '/owner/dashboard?status=delivered', icon: History, creates: false },
  { label: 'Reported Issues', href: '/owner/incidents', icon: MessageSquareWarning, creates: false },
  { label: 'Manage Notifications', href: '/notifications/preferences', icon: Bell, creates: false },
  { label: 'Create New Package', href: '/owner/create-package', icon: PackagePlus, creates: true },
  { label: 'Import Packages', href: '/owner/import', icon: FileUp, creates: true },
];

/** One line of links below the list. */
export function QuickActions() {
  const mayCreate = useCan({ permissions: ['packages.create'] });
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className="@container mt-4 max-md:order-1">
      {/* One line where all fit, else three columns below their title, and one on phones. */}
      <div className="items-center @5xl:flex">
        <h2 id={titleId} className="mr-3 text-table font-medium text-ink-3 @max-5xl:mb-1">
          Quick Actions
        </h2>
        <ul className="grid gap-x-1 @max-5xl:-mx-2 @lg:grid-cols-3 @5xl:flex">
          {actions
            .filter(({ creates }) => mayCreate || !creates)
            .map(({ label, href, icon: Icon }) => (
              <li key={label}>
                <a
                  href={href}
                  className="flex min-h-9 items-center gap-2 rounded-control px-2 text-table font-medium text-ink-2 transition-colors hover:bg-sunken hover:text-ink max-md:min-h-11 max-md:text-ui"
                >
                  <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
                  {label}
                </a>
              </li>
            ))}
        </ul>
      </div>
    </section>
  );
}
