import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { offeredLanguages } from '../platform/language.ts';
import { pageData } from '../platform/page-data.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { useLiveState } from '../platform/live.ts';
import { useOrganisation } from '../platform/organisation.ts';
import { logout, useSession } from '../platform/session.ts';
import { confirmLeave } from './navigation-guard.ts';
import { overlay } from './overlays.ts';
import { Overlays } from './Overlays.tsx';
import { PageFrame } from './PageFrame.tsx';
import { pageAt } from './pages.ts';

const NotificationBell = lazyComponent(() =>
  importWithRetry(() => import('../notifications/NotificationBell.tsx')).then((module) => module.NotificationBell),
);

const NewRightsNote = lazyComponent(() =>
  importWithRetry(() => import('../users/NewRightsNote.tsx')).then((module) => module.NewRightsNote),
);

/** The root layout: header, footer and overlays around every page. */
export function Layout() {
  const { user, loading } = useSession();
  const organisation = useOrganisation();
  const live = useLiveState();
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const main = useRef<HTMLElement>(null);
  const shownPath = useRef(path);

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
  return (
    <>
      <PageFrame
        organisation={organisation}
        apiDocs={pageData?.apiDocs ?? true}
        languages={offeredLanguages()}
        mainLanguage={pageAt(path)?.translated ? undefined : 'en'}
        user={user}
        loading={loading}
        path={path}
        reconnecting={live === 'offline'}
        onLogout={() => void signOut()}
        onOverlay={overlay.set}
        bell={
          user?.status === 'active' &&
          !user.mustChangePassword &&
          !user.mustSetUpSecondFactor && (
            // A fixed size, so that the header does not shift when the bell has loaded.
            <span className="size-11">
              <NotificationBell />
            </span>
          )
        }
        mainRef={main}
      >
        {user?.gainedRights && <NewRightsNote onSignInAgain={() => void signOut()} onFailed={() => undefined} />}
        <Outlet />
      </PageFrame>
      <Overlays onLogout={() => void signOut()} />
    </>
  );
}
