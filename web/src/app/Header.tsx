import type { Organisation, User } from '@waybill/contract';
import { LogOut, Menu as MenuIcon, X } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ReactNode } from 'react';
import { classes } from '../ui/classes.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { dashboardOf } from '../users/dashboards.ts';
import { RoleBadge } from '../users/RoleBadge.tsx';
import { UserMenu } from '../users/UserMenu.tsx';
import { Logo } from './Logo.tsx';
import type { Overlay } from './overlays.ts';
import { ReconnectingNote } from './ReconnectingNote.tsx';
import { SearchButton } from './SearchButton.tsx';

interface HeaderProps {
  organisation: Organisation;
  user: Pick<User, 'name' | 'email' | 'role'> | null;
  /** The user is being fetched: neither 'Sign In' nor a name is shown yet. */
  loading?: boolean;
  /** The path of the current page; a change closes the collapsed menu. */
  path: string;
  /** The live connection is lost. */
  reconnecting?: boolean;
  onLogout: () => void;
  /** Opens an overlay; absent on pages without overlays. */
  onOverlay?: (overlay: Overlay) => void;
  /** The link to the notifications, if the user can read them. */
  bell?: ReactNode;
}

export function Header({
  organisation,
  user,
  loading = false,
  path,
  reconnecting = false,
  onLogout,
  onOverlay,
  bell,
}: HeaderProps) {
  const scrolled = useScrolledBeyond(10);
  const [openOn, setOpenOn] = useState<string | null>(null);
  const open = openOn === path;
  const close = () => setOpenOn(null);
  const signedOut = !user && !loading;
  useEscape(open, close);
  const dashboard = dashboardOf(user?.role ?? null);

  return (
    <header
      className={classes(
        'page-header sticky top-0 z-30 border-b transition-[background-color,border-color] print:hidden',
        scrolled || open ? 'border-line bg-surface' : 'border-transparent bg-header',
      )}
    >
      <div className="page flex min-h-16 items-center gap-2">
        <a
          href="/"
          aria-label={`${organisation.name} home`}
          className="mr-auto inline-flex min-h-11 min-w-0 items-center rounded-control"
        >
          <Logo {...organisation} />
        </a>
        <ReconnectingNote shown={reconnecting} />
        {onOverlay && <SearchButton onPress={() => onOverlay('palette')} />}
        {bell}
        {/* The negative margin aligns the borderless user menu with the edge of the page. */}
        <nav aria-label="Main" className={classes('hidden items-center gap-1 md:flex', user && '-mr-4')}>
          <LinkButton variant="ghost" href={dashboard} aria-current={path === dashboard ? 'page' : undefined}>
            Dashboard
          </LinkButton>
          {signedOut && (
            <>
              <span className="in-[[data-token]]:invisible">
                <LinkButton variant="ghost" href="/login">
                  Sign In
                </LinkButton>
              </span>
              <span className="ml-2 in-[[data-token]]:invisible">
                <LinkButton href="/register">Register</LinkButton>
              </span>
            </>
          )}
          {user && (
            <UserMenu user={user} onLogout={onLogout} onShortcuts={onOverlay && (() => onOverlay('shortcuts'))} />
          )}
        </nav>
        <span className="-mr-3 md:hidden noscript:hidden">
          <IconButton
            label={open ? 'Close menu' : 'Open menu'}
            aria-expanded={open}
            aria-controls="collapsed-menu"
            icon={open ? <X aria-hidden="true" /> : <MenuIcon aria-hidden="true" />}
            onClick={() => setOpenOn(open ? null : path)}
          />
        </span>
      </div>
      <nav
        id="collapsed-menu"
        aria-label="Main, collapsed"
        hidden={!open}
        className="page max-h-[calc(100dvh-4rem)] overflow-y-auto pb-5 md:hidden"
      >
        <div className="flex flex-col gap-2 border-t border-line pt-3">
          {user && (
            <div className="mb-1 flex flex-wrap items-center justify-between gap-2 py-1">
              <span className="min-w-0 truncate text-body font-medium">{user.name}</span>
              <RoleBadge role={user.role} />
            </div>
          )}
          <LinkButton variant="secondary" size="lg" fullWidth href={dashboard} onClick={close}>
            Dashboard
          </LinkButton>
          {signedOut && (
            <>
              <LinkButton variant="secondary" size="lg" fullWidth href="/login" onClick={close}>
                Sign In
              </LinkButton>
              <LinkButton size="lg" fullWidth href="/register" onClick={close}>
                Register
              </LinkButton>
            </>
          )}
          {user && (
            <>
              <LinkButton variant="secondary" size="lg" fullWidth href="/account" onClick={close}>
                Account
              </LinkButton>
              <LinkButton variant="secondary" size="lg" fullWidth href="/notifications" onClick={close}>
                Notifications
              </LinkButton>
            </>
          )}
          {user && (
            <Button
              variant="secondary"
              size="lg"
              fullWidth
              icon={<LogOut aria-hidden="true" className="size-4" />}
              onClick={onLogout}
            >
              Logout
            </Button>
          )}
        </div>
      </nav>
    </header>
  );
}

function useScrolledBeyond(pixels: number): boolean {
  const [beyond, setBeyond] = useState(false);
  useEffect(() => {
    const update = () => setBeyond(scrollY > pixels);
    update();
    addEventListener('scroll', update, { passive: true });
    return () => removeEventListener('scroll', update);
  }, [pixels]);
  return beyond;
}

function useEscape(active: boolean, onEscape: () => void): void {
  const handleEscape = useEffectEvent(onEscape);
  useEffect(() => {
    if (!active) return;
    const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && handleEscape();
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [active]);
}
