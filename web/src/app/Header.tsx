import { fill } from '@waybill/contract';
import { Menu as MenuIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { texts } from '../platform/texts.ts';
import { classes } from '../ui/classes.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { dashboardOf } from '../users/dashboards.ts';
import { UserMenu } from '../users/UserMenu.tsx';
import { Logo } from './Logo.tsx';
import { MenuList } from './MenuList.tsx';
import { MenuSheet } from './MenuSheet.tsx';
import type { FrameProps } from './frame-props.ts';
import { ReconnectingNote } from './ReconnectingNote.tsx';
import { SearchButton } from './SearchButton.tsx';
import { SmallLinks } from './SmallLinks.tsx';

type HeaderProps = Omit<FrameProps, 'mainRef' | 'children'>;

export function Header({
  organisation,
  apiDocs,
  languages,
  user,
  loading = false,
  path,
  reconnecting = false,
  onLogout,
  onOverlay,
  bell,
}: HeaderProps) {
  const scrolled = useScrolledBeyond(10);
  // A change of the path closes the menu.
  const [openOn, setOpenOn] = useState<string | null>(null);
  const open = openOn === path;
  const close = () => setOpenOn(null);
  const signedOut = !user && !loading;
  const dashboard = dashboardOf(user?.role ?? null);

  return (
    <header
      className={classes(
        'page-header sticky top-0 z-30 border-b transition-[background-color,border-color] print:hidden',
        scrolled ? 'border-line bg-surface' : 'border-transparent bg-header',
      )}
    >
      <div className="page flex min-h-16 items-center gap-2">
        <a
          href="/"
          aria-label={fill(texts.frame.home, { organisation: organisation.name })}
          className="mr-auto inline-flex min-h-11 min-w-0 items-center rounded-control"
        >
          <Logo {...organisation} />
        </a>
        <ReconnectingNote shown={reconnecting} />
        {onOverlay && <SearchButton onPress={() => onOverlay('palette')} />}
        {bell}
        {/* The negative margin aligns the borderless user menu with the edge of the page. */}
        <nav
          aria-label={texts.frame.main}
          className={classes('hidden items-center gap-1 md:flex lg:pointer-fine:[&_a]:min-h-9', user && '-mr-4')}
        >
          <LinkButton variant="ghost" href={dashboard} aria-current={user && path === dashboard ? 'page' : undefined}>
            {texts.frame.dashboard}
          </LinkButton>
          {signedOut && (
            <>
              <span className="in-[[data-token]]:invisible">
                <LinkButton variant="ghost" href="/login">
                  {texts.frame.signIn}
                </LinkButton>
              </span>
              <span className="ml-2 in-[[data-token]]:invisible">
                <LinkButton href="/register">{texts.frame.register}</LinkButton>
              </span>
            </>
          )}
          {user && (
            <UserMenu
              user={user}
              onLogout={onLogout}
              onShortcuts={onOverlay && (() => onOverlay('shortcuts'))}
              footer={<SmallLinks apiDocs={apiDocs} languages={languages} />}
            />
          )}
        </nav>
        <span className="-mr-3 md:hidden noscript:hidden">
          <IconButton
            label={texts.frame.openMenu}
            aria-expanded={open}
            aria-haspopup="dialog"
            icon={<MenuIcon aria-hidden="true" />}
            onClick={() => setOpenOn(path)}
          />
        </span>
      </div>
      {open && (
        <MenuSheet id="collapsed-menu" label={texts.frame.menu} onClose={close}>
          <MenuList
            user={user}
            path={path}
            apiDocs={apiDocs}
            languages={languages}
            onLogout={onLogout}
            onClose={close}
          />
        </MenuSheet>
      )}
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
