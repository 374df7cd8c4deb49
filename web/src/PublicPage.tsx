import type { PublicPageData, PublicPageProps } from '@waybill/contract';
import type { ComponentType } from 'react';
import { BellLink } from './notifications/BellLink.tsx';
import { useLastSession } from './platform/last-session.ts';
import { logout, useSession } from './platform/session.ts';
import { PageFrame } from './app/PageFrame.tsx';
import type { PageContentProps } from './pages/parts/page-content.ts';

/** Pages whose text is in English alone. */
export const englishPages: ReadonlySet<PublicPageData['name']> = new Set(['terms', 'privacy', 'cookies', 'licenses']);

/** A public page, rendered on the server and hydrated in the browser. Its links are full page loads. */
export function PublicPage({
  path,
  page,
  organisation,
  apiDocs,
  languages,
  Content,
}: PublicPageProps & { Content: ComponentType<PageContentProps> }) {
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
      <Content page={page} user={user} dayZone={organisation.timeZone} />
    </PageFrame>
  );
}
