import type { CSSProperties } from 'react';
import { Footer } from './Footer.tsx';
import type { FrameProps } from './frame-props.ts';
import { Header } from './Header.tsx';
import { SkipLink } from './SkipLink.tsx';

interface PageFrameProps extends FrameProps {
  /** A page of the application: without the footer, whose links and theme are in the user's menu. */
  isApplication?: boolean;
}

/** Pages as wide as the window: their header is too, with the same edges. */
const isWide = (path: string) => path === '/owner/dashboard' || path === '/owner/create-package';
const wide = { '--page-width': 'none', '--page-padding': '24px' } as CSSProperties;

/** Header, main area and footer of a page. Takes plain props, no router or queries, so that the server can render it. */
export function PageFrame({ mainRef, mainLanguage, isApplication = false, children, ...header }: PageFrameProps) {
  return (
    <div className="page-frame flex min-h-dvh flex-col" style={isWide(header.path) ? wide : undefined}>
      <SkipLink />
      <Header {...header} />
      <main
        ref={mainRef}
        lang={mainLanguage}
        id="main"
        tabIndex={-1}
        className="flex grow flex-col outline-none has-[[data-selection-bar]]:pb-20 max-lg:has-[[data-selection-bar]]:pb-32"
      >
        {children}
      </main>
      {!isApplication && (
        <Footer
          organisation={header.organisation}
          apiDocs={header.apiDocs}
          languages={header.languages}
          user={header.user}
        />
      )}
    </div>
  );
}
