import type { Language } from '@waybill/contract';
import {
  Bell,
  CirclePlus,
  LayoutDashboard,
  LogIn,
  LogOut,
  MapPin,
  MessageSquareWarning,
  UserRoundCog,
  UserRoundPlus,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { FrameUser } from '../platform/last-session.ts';
import { texts } from '../platform/texts.ts';
import { dashboardOf } from '../users/dashboards.ts';
import { RoleBadge } from '../users/RoleBadge.tsx';
import { SmallLinks } from './SmallLinks.tsx';

interface MenuListProps {
  user: Pick<FrameUser, 'name' | 'role' | 'permissionsInForce'> | null;
  path: string;
  apiDocs: boolean;
  languages: readonly Language[];
  onLogout: () => void;
  /** Called when a link was chosen. */
  onClose: () => void;
  /** More pages, before the account's. */
  children?: ReactNode;
}

/** What a phone's menu offers: the pages of the user, the account, theme and the links of the footer. */
export function MenuList({ user, path, apiDocs, languages, onLogout, onClose, children }: MenuListProps) {
  const row = { path, onClose };
  return (
    <nav aria-label={texts.frame.mainCollapsed}>
      {user && (
        <div className="flex flex-wrap items-center justify-between gap-2 px-3 pb-3">
          <span className="min-w-0 truncate text-body font-medium">{user.name}</span>
          <RoleBadge role={user.role} />
        </div>
      )}
      <ul className="pb-2">
        <MenuRow {...row} href={dashboardOf(user?.role ?? null)} icon={<LayoutDashboard aria-hidden="true" />}>
          {texts.frame.dashboard}
        </MenuRow>
        {user?.role === 'owner' && user.permissionsInForce.includes('packages.create') && (
          <MenuRow {...row} href="/owner/create-package" icon={<CirclePlus aria-hidden="true" />}>
            {texts.frame.createPackage}
          </MenuRow>
        )}
        {children}
        {!user && (
          <>
            <MenuRow {...row} href="/track" icon={<MapPin aria-hidden="true" />}>
              {texts.frame.trackPackage}
            </MenuRow>
            <MenuRow {...row} href="/login" icon={<LogIn aria-hidden="true" />}>
              {texts.frame.signIn}
            </MenuRow>
            <MenuRow {...row} href="/register" icon={<UserRoundPlus aria-hidden="true" />}>
              {texts.frame.register}
            </MenuRow>
          </>
        )}
        {user && (
          <>
            {user.role !== 'admin' && (
              <MenuRow {...row} href={`/${user.role}/incidents`} icon={<MessageSquareWarning aria-hidden="true" />}>
                {texts.frame.issues}
              </MenuRow>
            )}
            <MenuRow {...row} href="/notifications" icon={<Bell aria-hidden="true" />}>
              {texts.frame.notifications}
            </MenuRow>
            <MenuRow {...row} href="/account" icon={<UserRoundCog aria-hidden="true" />}>
              {texts.frame.account}
            </MenuRow>
            <li>
              <button type="button" onClick={onLogout} className={rowClasses}>
                <LogOut aria-hidden="true" />
                {texts.frame.logout}
              </button>
            </li>
          </>
        )}
      </ul>
      <SmallLinks apiDocs={apiDocs} languages={languages} onClose={onClose} />
    </nav>
  );
}

const rowClasses =
  'flex min-h-12 w-full items-center gap-3 rounded-control px-3 text-left text-body text-ink hover:bg-sunken focus-visible:-outline-offset-2 aria-[current=page]:bg-brand-soft aria-[current=page]:font-medium aria-[current=page]:text-brand [&_svg]:size-5 [&_svg]:shrink-0 [&_svg]:text-ink-3 aria-[current=page]:[&_svg]:text-brand';

interface MenuRowProps {
  href: string;
  path: string;
  icon: ReactNode;
  /** What waits there. */
  count?: number;
  onClose: () => void;
  children: ReactNode;
}

export function MenuRow({ href, path, icon, count = 0, onClose, children }: MenuRowProps) {
  return (
    <li>
      <a href={href} aria-current={href === path ? 'page' : undefined} onClick={onClose} className={rowClasses}>
        {icon}
        <span className="grow">{children}</span>
        {count > 0 && (
          <span className="figures rounded-full bg-red-bg px-[0.6em] py-0.5 text-meta font-semibold text-red-ink">
            {count}
          </span>
        )}
      </a>
    </li>
  );
}
