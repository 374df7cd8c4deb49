import type { Organisation, User } from '@waybill/contract';
import type { ReactNode, Ref } from 'react';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import type { Overlay } from './overlays.ts';

interface PageFrameProps {
  organisation: Organisation;
  /** Whether the server has a page on its API. */
  apiDocs: boolean;
  user: Pick<User, 'name' | 'email' | 'role' | 'permissionsInForce'> | null;
  /** The user is on the way: neither 'Sign In' nor a name is shown yet. */
  loading?: boolean;
  /** Of the page shown. */
  path: string;
  /** The live connection is lost. */
  reconnecting?: boolean;
  onLogout: () => void;
  /** Opens what lies over a page; left out where there is nothing of the kind. */
  onOverlay?: (overlay: Overlay) => void;
  /** Leads to the notifications, where they can be read. */
  bell?: ReactNode;
  mainRef?: Ref<HTMLElement>;
  children: ReactNode;
}

/** What stands around every page, from plain props: no router, no queries. */
export function PageFrame({ apiDocs, mainRef, children, ...header }: PageFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only z-60 rounded-control bg-brand px-4 py-3 text-ui font-medium text-on-brand focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <Header {...header} />
      <main ref={mainRef} id="main" tabIndex={-1} className="flex grow flex-col outline-none">
        {children}
      </main>
      <Footer organisation={header.organisation} apiDocs={apiDocs} user={header.user} />
    </div>
  );
}
