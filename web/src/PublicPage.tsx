import { BellLink } from './notifications/BellLink.tsx';
import { useLastSession } from './platform/last-session.ts';
import { logout, useSession } from './platform/session.ts';
import { AboutPage } from './pages/AboutPage.tsx';
import { ContactPage } from './pages/ContactPage.tsx';
import { CookiesPage } from './pages/CookiesPage.tsx';
import { DrawnPicture } from './pages/parts/DrawnPicture.tsx';
import { Landing } from './pages/parts/Landing.tsx';
import { LazyRecipientPart } from './pages/parts/LazyRecipientPart.tsx';
import { LicensesPage } from './pages/LicensesPage.tsx';
import { NotFoundPage } from './app/NotFoundPage.tsx';
import { PageFrame } from './app/PageFrame.tsx';
import { PrivacyPage } from './pages/PrivacyPage.tsx';
import { PublicTrack } from './tracking/PublicTrack.tsx';
import type { PublicPageProps } from '@waybill/contract';
import { TermsPage } from './pages/TermsPage.tsx';

/** Pages whose text is in English alone. */
export const englishPages: ReadonlySet<PublicPageProps['page']['name']> = new Set([
  'terms',
  'privacy',
  'cookies',
  'licenses',
]);

/** A public page, rendered on the server and hydrated in the browser. Its links are full page loads. */
export function PublicPage({ path, page, organisation, apiDocs, languages }: PublicPageProps) {
  const session = useSession();
  const last = useLastSession();
  // While the user is being fetched, the header of the last session.
  const user = session.user ?? (session.loading ? (last?.user ?? null) : null);
  return (
    <PageFrame
      organisation={organisation}
      apiDocs={apiDocs}
      languages={languages}
      mainLanguage={englishPages.has(page.name) ? 'en' : undefined}
      user={user}
      loading={session.loading && user === null}
      path={path}
      bell={user?.status === 'active' && <BellLink unread={last?.counts.unread ?? 0} />}
      onLogout={() => {
        logout();
        location.assign('/login');
      }}
    >
      {content()}
    </PageFrame>
  );

  function content() {
    switch (page.name) {
      case 'landing':
        return <Landing role={user?.role ?? null} Picture={DrawnPicture} />;
      case 'track':
        return <PublicTrack {...page} Recipient={LazyRecipientPart} dayZone={organisation.timeZone} />;
      case 'about':
        return <AboutPage />;
      case 'contact':
        return <ContactPage {...page} />;
      case 'terms':
        return <TermsPage />;
      case 'privacy':
        return <PrivacyPage />;
      case 'cookies':
        return <CookiesPage />;
      case 'licenses':
        return <LicensesPage packages={page.packages} />;
      case 'not-found':
        return <NotFoundPage />;
    }
  }
}
