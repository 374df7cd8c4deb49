import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { offeredLanguages } from '../platform/language.ts';
import { BellLink } from '../notifications/BellLink.tsx';
import { setFormats } from '../platform/format-language.ts';
import { pageData } from '../platform/page-data.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { useLiveState } from '../platform/live.ts';
import { useOrganisation } from '../platform/organisation.ts';
import { useLastSession } from '../platform/last-session.ts';
import { texts } from '../platform/texts.ts';
import { logout, useSession } from '../platform/session.ts';
import { openScanned } from './labels.ts';
import { confirmLeave } from './navigation-guard.ts';
import { adminPagesFor } from './navigation.ts';
import { overlay } from './overlays.ts';
import { Overlays } from './Overlays.tsx';
import { PageFrame } from './PageFrame.tsx';
import { pageAt } from './pages.ts';

const NotificationBell = lazyComponent(() =>
  importWithRetry(() => import('../notifications/NotificationBell.tsx')).then((module) => module.NotificationBell),
);

// In the chunk that the server preloads for every page of the application: visitors do not need it.
const AdminFrame = lazyComponent(() =>
  importWithRetry(() => import('./AdminFrame.tsx')).then((module) => module.AdminFrame),
);

const FrameCounts = lazyComponent(() =>
  importWithRetry(() => import('./FrameCounts.tsx')).then((module) => module.FrameCounts),
);

const HardwareScanner = lazyComponent(() =>
  importWithRetry(() => import('./HardwareScanner.tsx')).then((module) => module.HardwareScanner),
);

const NewRightsNote = lazyComponent(() =>
  importWithRetry(() => import('../users/NewRightsNote.tsx')).then((module) => module.NewRightsNote),
);

/** The root layout: the frame of the reader's role and the overlays around every page. */
export function Layout() {
  const session = useSession();
  const last = useLastSession();
  const organisation = useOrganisation();
  const live = useLiveState();
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isTranslated = pageAt(path)?.translated === true;
  // Before the page is rendered: a page in English has English days and numbers.
  setFormats(isTranslated ? texts.locale : 'en');
  const main = useRef<HTMLElement>(null);
  const shownPath = useRef(path);
  // The code of the administrators' frame could not be loaded: the plain one does until the next reload.
  const [isPlain, setIsPlain] = useState(false);

  // On navigation move the focus to the page's content, for keyboards and screen readers.
  useEffect(() => {
    if (shownPath.current === path) return;
    shownPath.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path]);

  const signOut = async () => {
    if (!(await confirmLeave())) return;
    logout();
    void navigate({ href: '/login' });
  };
  const openLabel = (code: string) => openScanned(code, (href) => void navigate({ href }));
  // While the user is being fetched, the frame of the last session: a reload paints it at once.
  const user = session.user ?? (session.loading ? (last?.user ?? null) : null);
  const mayRead = user?.status === 'active' && !user.mustChangePassword && !user.mustSetUpSecondFactor;
  const isApplication = typeof pageAt(path)?.for === 'object' && (user !== null || session.loading);
  const frame = {
    organisation,
    apiDocs: pageData?.apiDocs ?? true,
    languages: offeredLanguages(),
    mainLanguage: isTranslated ? undefined : ('en' as const),
    loading: session.loading && user === null,
    path,
    reconnecting: live === 'offline',
    onLogout: () => void signOut(),
    onOverlay: overlay.set,
    bell: mayRead && (
      // A fixed size, so that the header does not shift when the bell has loaded.
      <span className="size-11">
        {session.user ? <NotificationBell /> : <BellLink unread={last?.counts.unread ?? 0} />}
      </span>
    ),
    mainRef: main,
    children: (
      <>
        {session.user?.gainedRights && (
          <NewRightsNote onSignInAgain={() => void signOut()} onFailed={() => undefined} />
        )}
        <Outlet />
      </>
    ),
  };
  const isAdministrative = user !== null && adminPagesFor({ user, permissions: user.permissionsInForce }).length > 0;
  return (
    <>
      {isApplication && isAdministrative && !isPlain ? (
        <AdminFrame {...frame} user={user} onFailed={() => setIsPlain(true)} />
      ) : (
        <PageFrame {...frame} user={user} isApplication={isApplication} />
      )}
      {session.user && isAdministrative && <FrameCounts />}
      {session.user && <HardwareScanner onScan={openLabel} />}
      <Overlays onLogout={() => void signOut()} onLabel={openLabel} />
    </>
  );
}
