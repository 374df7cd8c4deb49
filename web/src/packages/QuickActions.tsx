import { Bell, ChevronRight, FileUp, History, MessageSquareWarning, PackagePlus, ScanSearch } from 'lucide-react';
import { Card } from '../ui/Card.tsx';
import { useCan } from '../users/useCan.ts';

const actions = [
  { label: 'Track a New Package', href: '/track', icon: ScanSearch, creates: false },
  { label: 'View Delivery History', href: '/owner/dashboard?status=delivered', icon: History, creates: false },
  { label: 'Reported Issues', href: '/owner/incidents', icon: MessageSquareWarning, creates: false },
  { label: 'Manage Notifications', href: '/notifications/preferences', icon: Bell, creates: false },
  { label: 'Create New Package', href: '/owner/create-package', icon: PackagePlus, creates: true },
  { label: 'Import Packages', href: '/owner/import', icon: FileUp, creates: true },
];

export function QuickActions() {
  const mayCreate = useCan({ permissions: ['packages.create'] });
  return (
    <Card title="Quick Actions" flush>
      <ul className="grid pb-2 sm:grid-cols-2 lg:grid-cols-1">
        {actions
          .filter(({ creates }) => mayCreate || !creates)
          .map(({ label, href, icon: Icon }) => (
            <li key={label}>
              <a
                href={href}
                className="flex min-h-12 items-center gap-3 px-5 text-ui font-medium text-ink transition-colors hover:bg-sunken focus-visible:-outline-offset-2"
              >
                <Icon aria-hidden="true" className="size-5 shrink-0 text-ink-3" />
                <span className="grow">{label}</span>
                <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
              </a>
            </li>
          ))}
      </ul>
    </Card>
  );
}
