import { createElement, useEffect, useState } from 'react';
import type { ComponentType } from 'react';
import type { RouteComponent } from '@tanstack/react-router';
import { retryIntervalMs } from '../platform/lazy-component.tsx';
import { importWithRetry, type LoadError } from '../platform/import-with-retry.ts';
import { usePageTitle } from '../platform/page-title.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { PendingPage } from './PendingPage.tsx';

/** Kept over the reload that it is about: one that did not help is not repeated. */
const reloadedKey = 'reloaded-for';

export interface PageCode {
  name: string;
  /** @throws LoadError */
  load: () => Promise<ComponentType>;
}

/** The component of this name in a file that is loaded when it is needed. */
export const codeOf = <Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): PageCode => ({ name, load: () => importWithRetry(load).then((module) => module[name]) });

/**
 * A page whose code comes when somebody goes there. Where the server cannot be reached the application stays on the screen, says so,
 * and shows the page once the server is back. Where only a reload helps, it loads the whole page at the address that was gone to; what
 * was typed on the page before was given up, or saved, when it was left.
 * @param title of the browser's tab; left out for a page that names it by what it shows
 */
export function lazyPage({ name, load }: PageCode, title: string | undefined): RouteComponent {
  let known: ComponentType | null = null;
  let fault: LoadError | null = null;
  let loading: Promise<void> | null = null;
  const ask = () =>
    (loading ??= load()
      .then(
        (component) => {
          known = component;
          fault = null;
        },
        (error: LoadError) => void (fault = error),
      )
      .finally(() => (loading = null)));

  function LazyPage() {
    const [shown, setShown] = useState({ known, fault });
    const [asking, setAsking] = useState(false);
    const retry = async () => {
      setAsking(true);
      await ask();
      setAsking(false);
      setShown({ known, fault });
    };
    useEffect(() => {
      if (shown.known) return;
      if (shown.fault?.reason === 'replaced' && reloadOnce(name)) return;
      let gone = false;
      const askAgain = () =>
        void ask().then(() => {
          if (!gone) setShown({ known, fault });
        });
      // What failed before this page was gone to is asked for at once.
      const timer = setTimeout(askAgain, shown.fault ? retryIntervalMs : 0);
      return () => {
        gone = true;
        clearTimeout(timer);
      };
    }, [shown]);
    if (shown.known && title !== undefined) return <Titled title={title} page={shown.known} />;
    if (shown.known) return createElement(shown.known);
    if (!shown.fault) return <PendingPage />;
    return (
      <div className="page py-12">
        <ErrorState
          title="This page could not be loaded"
          message={shown.fault.message}
          onRetry={() => (shown.fault?.reason === 'replaced' ? location.reload() : void retry())}
          retrying={asking}
        />
      </div>
    );
  }
  // The router waits for it before it shows the page.
  LazyPage.preload = () => (known ? undefined : ask());
  return LazyPage;
}

function Titled({ title, page }: { title: string; page: ComponentType }) {
  usePageTitle(title);
  return createElement(page);
}

/** Loads the page anew, unless that was tried for this one already in the last minute. */
function reloadOnce(name: string): boolean {
  try {
    const [before = '', at = ''] = (sessionStorage.getItem(reloadedKey) ?? '').split(' ');
    if (before === name && Date.now() - Number(at) < 60_000) return false;
    sessionStorage.setItem(reloadedKey, `${name} ${Date.now()}`);
  } catch {
    // Without a memory it might reload for ever.
    return false;
  }
  location.reload();
  return true;
}
