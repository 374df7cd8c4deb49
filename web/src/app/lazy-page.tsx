import { createElement, useEffect, useState } from 'react';
import type { ComponentType } from 'react';
import type { RouteComponent } from '@tanstack/react-router';
import { retryIntervalMs } from '../platform/lazy-component.tsx';
import { importWithRetry, type LoadError } from '../platform/import-with-retry.ts';
import { usePageTitle } from '../platform/page-title.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { PageSkeleton } from '../ui/PageSkeleton.tsx';

/** Session storage key of the last reload and its page, so that a reload that did not help is not repeated. */
const reloadedKey = 'reloaded-for';

/**
 * A page whose code is loaded on navigation. If the server is unreachable, the application shows an error in place of the page and
 * retries every 3 s. If only a reload helps, it reloads at the new URL; unsaved input of the page before was saved or discarded when
 * the user left it.
 * @param name of the component
 * @param importModule loads the module that exports it
 * @param title of the browser tab; absent for a page that sets its own title
 */
export function lazyPage<Name extends string>(
  name: Name,
  importModule: () => Promise<Record<Name, ComponentType>>,
  title: (() => string) | undefined,
): RouteComponent {
  let component: ComponentType | null = null;
  let failure: LoadError | null = null;
  let loading: Promise<void> | null = null;
  const loadOnce = () =>
    (loading ??= importWithRetry(importModule)
      .then(
        (module) => {
          component = module[name];
          failure = null;
        },
        (error: LoadError) => void (failure = error),
      )
      .finally(() => (loading = null)));

  function LazyPage() {
    const [shown, setShown] = useState({ component, failure });
    const [retrying, setRetrying] = useState(false);
    const retry = async () => {
      setRetrying(true);
      await loadOnce();
      setRetrying(false);
      setShown({ component, failure });
    };
    useEffect(() => {
      if (shown.component) return;
      if (shown.failure?.reason === 'replaced' && reloadOnce(name)) return;
      let unmounted = false;
      const attempt = () =>
        void loadOnce().then(() => {
          if (!unmounted) setShown({ component, failure });
        });
      const timer = setTimeout(attempt, shown.failure ? retryIntervalMs : 0);
      return () => {
        unmounted = true;
        clearTimeout(timer);
      };
    }, [shown]);
    if (shown.component && title !== undefined) return <Titled title={title()} page={shown.component} />;
    if (shown.component) return createElement(shown.component);
    if (!shown.failure) return <PageSkeleton />;
    return (
      <div className="page py-12">
        <ErrorState
          title="This page could not be loaded"
          message={shown.failure.message}
          onRetry={() => (shown.failure?.reason === 'replaced' ? location.reload() : void retry())}
          retrying={retrying}
        />
      </div>
    );
  }
  // The router awaits this before it shows the page.
  LazyPage.preload = () => (component ? undefined : loadOnce());
  return LazyPage;
}

function Titled({ title, page }: { title: string; page: ComponentType }) {
  usePageTitle(title);
  return createElement(page);
}

/** Reloads, unless a reload was tried for this page within the last minute. @returns whether it reloads */
function reloadOnce(name: string): boolean {
  try {
    const [page = '', at = ''] = (sessionStorage.getItem(reloadedKey) ?? '').split(' ');
    if (page === name && Date.now() - Number(at) < 60_000) return false;
    sessionStorage.setItem(reloadedKey, `${name} ${Date.now()}`);
  } catch {
    // Storage is blocked: without a record it might reload in a loop.
    return false;
  }
  location.reload();
  return true;
}
