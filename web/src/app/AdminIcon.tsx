import {
  CalendarDays,
  ChartNoAxesColumn,
  LayoutDashboard,
  MapPin,
  MessagesSquare,
  ScrollText,
  Send,
  Settings,
  UsersRound,
  Warehouse,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { AdminPageName } from './pages.ts';

const icons: Record<AdminPageName, LucideIcon> = {
  adminDashboard: LayoutDashboard,
  adminReports: ChartNoAxesColumn,
  adminUsers: UsersRound,
  adminDispatch: MapPin,
  adminSchedule: CalendarDays,
  adminInventory: Warehouse,
  adminNotifications: Send,
  adminMessages: MessagesSquare,
  adminAudit: ScrollText,
  adminSettings: Settings,
};

/** The icon of an administrators' page, wherever a link leads to it. */
export function AdminIcon({ page, className }: { page: AdminPageName; className: string }) {
  const Icon = icons[page];
  return <Icon aria-hidden="true" className={className} />;
}
