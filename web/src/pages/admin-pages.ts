import {
  Bell,
  CalendarDays,
  ChartNoAxesColumn,
  LayoutDashboard,
  ScrollText,
  Settings,
  UsersRound,
  Warehouse,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { Session } from '../platform/session.ts';
import { applicationPaths } from './paths.ts';
import { mayOpen } from './places.ts';

interface AdminPlace {
  href: string;
  label: string;
  /** What one goes there for; null where one begins, and where the navigation is way enough. */
  action: string | null;
  icon: LucideIcon;
}

const pages = [
  { name: 'adminDashboard', label: 'Overview', action: null, icon: LayoutDashboard },
  { name: 'adminReports', label: 'Reports', action: 'View Reports', icon: ChartNoAxesColumn },
  { name: 'adminUsers', label: 'Users', action: 'Manage Users', icon: UsersRound },
  { name: 'adminSchedule', label: 'Schedule', action: 'Driver Schedule', icon: CalendarDays },
  { name: 'adminInventory', label: 'Inventory', action: 'Inventory', icon: Warehouse },
  { name: 'adminNotifications', label: 'Notifications', action: 'Notifications', icon: Bell },
  { name: 'adminAudit', label: 'Audit Log', action: null, icon: ScrollText },
  { name: 'adminSettings', label: 'Settings', action: 'System Settings', icon: Settings },
] as const;

/** The administrators' pages that somebody may open, in the order of all lists of them. */
export const adminPagesFor = (who: Pick<Session, 'user' | 'permissions'>): AdminPlace[] =>
  pages
    .filter(({ name }) => mayOpen(name, who))
    .map(({ name, ...page }) => ({ ...page, href: applicationPaths[name] }));
