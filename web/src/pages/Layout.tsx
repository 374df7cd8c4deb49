import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useLiveState } from '../platform/live.ts';
import { logout, useSession } from '../platform/session.ts';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';

/** What stands around every page. */
export function Layout() {
  const { user, loading } = useSession();
  const live = useLiveState();
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const main = useRef<HTMLElement>(null);
  const shownPath = useRef(path);

  // A new page starts where its content does, for keyboards and screen readers too.
  useEffect(() => {
    if (shownPath.current === path) return;
    shownPath.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path]);

  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only z-60 rounded-control bg-brand px-4 py-3 text-ui font-medium text-on-brand focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <Header
        user={user}
        loading={loading}
        path={path}
        reconnecting={live === 'offline'}
        onLogout={() => {
          logout();
          void navigate({ href: '/login' });
        }}
      />
      <main ref={main} id="main" tabIndex={-1} className="flex grow flex-col outline-none">
        <Outlet />
      </main>
      <Footer role={user?.role ?? null} />
    </div>
  );
}
