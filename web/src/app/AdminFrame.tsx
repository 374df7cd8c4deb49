import { ChevronsUpDown, Ellipsis } from 'lucide-react';
import { useState } from 'react';
import type { CSSProperties } from 'react';
import { useLastSession } from '../platform/last-session.ts';
import type { FrameCounts, FrameUser } from '../platform/last-session.ts';
import { classes } from '../ui/classes.ts';
import { CountDot } from '../ui/CountDot.tsx';
import { dashboardOf } from '../users/dashboards.ts';
import { Initials } from '../users/Initials.tsx';
import { roleNames } from '../users/role-names.ts';
import { UserMenu } from '../users/UserMenu.tsx';
import { AdminIcon } from './AdminIcon.tsx';
import { Logo } from './Logo.tsx';
import { MenuList, MenuRow } from './MenuList.tsx';
import { MenuSheet } from './MenuSheet.tsx';
import { adminPagesFor } from './navigation.ts';
import type { FrameProps } from './frame-props.ts';
import type { AdminPageName } from './pages.ts';
import { ReconnectingNote } from './ReconnectingNote.tsx';
import { SearchButton } from './SearchButton.tsx';
import { SkipLink } from './SkipLink.tsx';
import { SmallLinks } from './SmallLinks.tsx';

interface NavEntry {
  name: AdminPageName;
  href: string;
  label: string;
  /** What waits there. */
  count: number;
}

/** The first pages of the list, the work of the day, stand apart from those that manage the installation. */
const dailyPages = 4;
/** On a phone: these, and the rest behind 'More'. */
const barPages: ReadonlySet<AdminPageName> = new Set([
  'adminDashboard',
  'adminDispatch',
  'adminInventory',
  'adminMessages',
]);

const countOf = (name: AdminPageName, { messages = 0, accounts = 0 }: FrameCounts): number =>
  name === 'adminMessages' ? messages : name === 'adminUsers' ? accounts : 0;

/** The page of the navigation to which a path belongs: a package is one of the inventory, a manifest one of dispatch. */
const entryAt = (path: string): string =>
  path.startsWith('/admin/package/')
    ? '/admin/inventory'
    : path.startsWith('/admin/dispatch/')
      ? '/admin/dispatch'
      : path;

/** The administrators' pages are as wide as the window, so that their titles stand in one place; forms keep a width that can be read. */
const isWide = (path: string) => path.startsWith('/admin/') || path === '/first-day';

/**
 * The frame of administrators and dispatchers: a navigation at the left, of icons alone below 1200 px, and a bar at the bottom of a
 * phone. No footer: its links are in the user's menu.
 */
export function AdminFrame({
  organisation,
  apiDocs,
  languages,
  user,
  path,
  reconnecting = false,
  onLogout,
  onOverlay,
  bell,
  mainRef,
  mainLanguage,
  children,
}: FrameProps & { user: FrameUser }) {
  const counts = useLastSession()?.counts ?? {};
  const at = entryAt(path);
  const entries: NavEntry[] = adminPagesFor({ user, permissions: user.permissionsInForce }).map(
    ({ name, href, label }) => ({ name, href, label, count: countOf(name, counts) }),
  );
  const openPalette = () => onOverlay?.('palette');
  const home = (
    <a
      href="/"
      aria-label={`${organisation.name} home`}
      className="inline-flex min-h-11 min-w-0 items-center rounded-control"
    >
      <Logo {...organisation} />
    </a>
  );
  return (
    <div
      className="min-h-dvh [--frame-top:0px] max-md:[--frame-top:3.5rem] md:grid md:grid-cols-[var(--frame-left)_minmax(0,1fr)] md:[--frame-left:56px] frame:[--frame-left:15rem] print:block"
      style={(isWide(path) ? { '--page-width': 'none' } : {}) as CSSProperties}
    >
      <SkipLink />
      <aside className="sticky top-0 hidden h-dvh flex-col gap-2 overflow-y-auto border-r border-line bg-canvas [scrollbar-width:none] md:flex print:hidden">
        <div className="flex items-center justify-between gap-1 px-3.5 pt-2 max-frame:flex-col max-frame:px-1.5 max-frame:[&_a>span>span]:sr-only">
          {home}
          {bell}
        </div>
        <div className="px-3 max-frame:px-1.5">
          <SearchButton onPress={openPalette} inSidebar />
        </div>
        <nav aria-label="Administration" className="px-3 max-frame:px-1.5">
          <ul className="flex flex-col gap-0.5">
            {entries.map((entry, index) => (
              <li key={entry.name} className={classes(index === dailyPages && 'mt-2 border-t border-line pt-2')}>
                <SidebarLink {...entry} isCurrent={entry.href === at} />
              </li>
            ))}
          </ul>
        </nav>
        <div className="mt-auto px-3 pb-2 max-frame:px-1.5">
          <ConnectionLine reconnecting={reconnecting} />
          <UserMenu
            user={user}
            onLogout={onLogout}
            align="start"
            onShortcuts={onOverlay && (() => onOverlay('shortcuts'))}
            footer={<SmallLinks apiDocs={apiDocs} languages={languages} />}
            trigger={
              <button
                type="button"
                className="flex min-h-12 w-full items-center gap-3 rounded-control px-1.5 text-left transition-colors hover:bg-sunken max-frame:justify-center"
              >
                <Initials name={user.name} />
                <span className="min-w-0 grow max-frame:sr-only">
                  <span className="block truncate text-ui font-medium text-ink">{user.name}</span>
                  <span className="block truncate text-meta text-ink-3">{roleNames[user.role]}</span>
                </span>
                <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-ink-3 max-frame:hidden" />
              </button>
            }
          />
        </div>
      </aside>
      <div className="flex min-h-dvh min-w-0 flex-col max-md:[--frame-bottom:4.5rem] max-md:pb-[calc(4.5rem+env(safe-area-inset-bottom))] print:pb-0">
        <header className="sticky top-0 z-30 flex min-h-14 items-center gap-1 border-b border-line bg-surface pr-1 pl-4 md:hidden print:hidden">
          <span className="mr-auto min-w-0">{home}</span>
          <ReconnectingNote shown={reconnecting} />
          <SearchButton onPress={openPalette} />
          {bell}
        </header>
        <main
          ref={mainRef}
          lang={mainLanguage}
          id="main"
          tabIndex={-1}
          className="flex grow flex-col outline-none has-[[data-selection-bar]]:pb-20 max-lg:has-[[data-selection-bar]]:pb-32"
        >
          {children}
        </main>
      </div>
      <BottomBar {...{ user, path, at, apiDocs, languages, entries, onLogout }} />
    </div>
  );
}

function SidebarLink({ name, href, label, count, isCurrent }: NavEntry & { isCurrent: boolean }) {
  return (
    <a
      href={href}
      title={label}
      aria-current={isCurrent ? 'page' : undefined}
      className={classes(
        'relative flex min-h-9 items-center gap-3 rounded-control px-2.5 text-ui font-medium transition-colors focus-visible:-outline-offset-2 pointer-coarse:min-h-11 max-frame:min-h-11 max-frame:justify-center max-frame:gap-0',
        isCurrent
          ? 'bg-sunken text-ink shadow-[inset_2px_0_0_var(--color-brand)]'
          : 'text-ink-2 hover:bg-sunken hover:text-ink',
      )}
    >
      <AdminIcon page={name} className={classes('size-[1.125rem] shrink-0', isCurrent ? 'text-brand' : 'text-ink-3')} />
      <span className="grow truncate max-frame:sr-only">{label}</span>
      {count > 0 && (
        <>
          <span className="figures rounded-full bg-red-bg px-[0.6em] py-px text-meta font-semibold text-red-ink max-frame:sr-only">
            {count}
          </span>
          <span className="frame:hidden">
            <CountDot count={count} />
          </span>
        </>
      )}
    </a>
  );
}

/** Whether the page follows events live, in words where there is room. */
function ConnectionLine({ reconnecting }: { reconnecting: boolean }) {
  return (
    <div className="mb-1 flex min-h-8 items-center gap-2 px-2.5 text-meta text-ink-3 max-frame:justify-center max-frame:gap-0 max-frame:px-0">
      <ReconnectingNote shown={reconnecting} inRail />
      {!reconnecting && (
        <>
          <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-green-dot" />
          <span className="max-frame:sr-only">Live</span>
        </>
      )}
    </div>
  );
}

interface BottomBarProps {
  user: FrameUser;
  path: string;
  at: string;
  apiDocs: boolean;
  languages: FrameProps['languages'];
  entries: readonly NavEntry[];
  onLogout: () => void;
}

function BottomBar({ user, path, at, apiDocs, languages, entries, onLogout }: BottomBarProps) {
  const [openOn, setOpenOn] = useState<string | null>(null);
  const close = () => setOpenOn(null);
  const inBar = entries.filter(({ name }) => barPages.has(name));
  const others = entries.filter(({ name }) => !barPages.has(name));
  const item =
    'relative flex min-h-14 min-w-0 flex-col items-center justify-center gap-0.5 px-1 text-meta font-medium text-ink-2 focus-visible:-outline-offset-2 aria-[current=page]:text-brand';
  return (
    <>
      <nav
        aria-label="Administration, bar"
        className="fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
      >
        {user.role !== 'admin' && (
          <a href={dashboardOf(user.role)} className={item}>
            <AdminIcon page="adminDashboard" className="size-5" />
            Dashboard
          </a>
        )}
        {inBar.map(({ name, href, label, count }) => (
          <a key={name} href={href} aria-current={href === at ? 'page' : undefined} className={item}>
            <span className="relative">
              <AdminIcon page={name} className="size-5" />
              {count > 0 && <CountDot count={count} />}
            </span>
            <span className="max-w-full truncate">{label}</span>
            {count > 0 && <span className="sr-only">{count}</span>}
          </a>
        ))}
        <button
          type="button"
          aria-haspopup="dialog"
          aria-expanded={openOn === path}
          className={item}
          aria-current={others.some(({ href }) => href === at) ? 'page' : undefined}
          onClick={() => setOpenOn(path)}
        >
          <span className="relative">
            <Ellipsis aria-hidden="true" className="size-5" />
            {others.some(({ count }) => count > 0) && (
              <CountDot count={others.reduce((sum, { count }) => sum + count, 0)} />
            )}
          </span>
          More
        </button>
      </nav>
      {openOn === path && (
        <MenuSheet id="more" label="More" onClose={close}>
          <MenuList user={user} path={at} apiDocs={apiDocs} languages={languages} onLogout={onLogout} onClose={close}>
            {others.map(({ name, href, label, count }) => (
              <MenuRow
                key={name}
                href={href}
                path={at}
                icon={<AdminIcon page={name} className="" />}
                count={count}
                onClose={close}
              >
                {label}
              </MenuRow>
            ))}
          </MenuList>
        </MenuSheet>
      )}
    </>
  );
}
