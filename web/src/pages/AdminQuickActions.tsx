import { Bell, CalendarDays, ChartNoAxesColumn, ChevronRight, Settings, UsersRound, Warehouse } from 'lucide-react';
import { Card } from '../ui/Card.tsx';

const actions = [
  { label: 'View Reports', href: '/admin/reports', icon: ChartNoAxesColumn },
  { label: 'Manage Users', href: '/admin/users', icon: UsersRound },
  { label: 'Driver Schedule', href: '/admin/schedule', icon: CalendarDays },
  { label: 'Inventory', href: '/admin/inventory', icon: Warehouse },
  { label: 'Notifications', href: '/admin/notifications', icon: Bell },
  { label: 'System Settings', href: '/admin/settings', icon: Settings },
];

export function AdminQuickActions() {
  return (
    <Card title="Quick Actions" flush>
      <ul className="grid pb-2">
        {actions.map(({ label, href, icon: Icon }) => (
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
