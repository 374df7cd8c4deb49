import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useLiveState } from '../platform/live.ts';
import { logout, useSession } from '../platform/session.ts';
import { PageFrame } from './PageFrame.tsx';

/** The application around its pages. */
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
    <PageFrame
      user={user}
      loading={loading}
      path={path}
      reconnecting={live === 'offline'}
      onLogout={() => {
        logout();
        void navigate({ href: '/login' });
      }}
      mainRef={main}
    >
      <Outlet />
    </PageFrame>
  );
}
