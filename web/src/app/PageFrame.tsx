import type { Language, Organisation, User } from '@waybill/contract';
import type { ReactNode, Ref } from 'react';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import type { Overlay } from './overlays.ts';

interface PageFrameProps {
  organisation: Organisation;
  /** Whether the server serves its API reference. */
  apiDocs: boolean;
  /** The languages that are offered. */
  languages: readonly Language[];
  user: Pick<User, 'name' | 'email' | 'role' | 'permissionsInForce'> | null;
  /** The user is being fetched: neither 'Sign In' nor a name is shown yet. */
  loading?: boolean;
  /** The path of the current page. */
  path: string;
  /** The live connection is lost. */
  reconnecting?: boolean;
  onLogout: () => void;
  /** Opens an overlay; absent on pages without overlays. */
  onOverlay?: (overlay: Overlay) => void;
  /** The link to the notifications, if the user can read them. */
  bell?: ReactNode;
  mainRef?: Ref<HTMLElement>;
  /** The language of the content, if it is not that of the frame. */
  mainLanguage?: string;
  children: ReactNode;
}

/** Header, main area and footer of every page. Takes plain props, no router or queries, so that the server can render it. */
export function PageFrame({ apiDocs, languages, mainRef, mainLanguage, children, ...header }: PageFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only z-60 rounded-control bg-brand px-4 py-3 text-ui font-medium text-on-brand focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <Header {...header} />
      <main ref={mainRef} lang={mainLanguage} id="main" tabIndex={-1} className="flex grow flex-col outline-none">
        {children}
      </main>
      <Footer organisation={header.organisation} apiDocs={apiDocs} languages={languages} user={header.user} />
    </div>
  );
}
