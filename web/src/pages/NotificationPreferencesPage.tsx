import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { DigestForm } from '../notifications/DigestForm.tsx';
import { PreferenceList } from '../notifications/PreferenceList.tsx';
import { PushSwitch } from '../notifications/PushSwitch.tsx';
import { QuietHoursForm } from '../notifications/QuietHoursForm.tsx';
import { RecipientPreferences } from '../notifications/RecipientPreferences.tsx';
import { preferencesQuery } from '../notifications/queries.ts';
import { noticeTexts } from '../notifications/texts.ts';
import { usePageTitle } from '../platform/page-title.ts';
import { Panel } from '../ui/Panel.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';

/** Awaited before the page is shown. */
export { loadNoticeTexts } from '../notifications/texts.ts';

export function NotificationPreferencesPage() {
  const preferences = useQuery(preferencesQuery());
  const { title, choose: words } = noticeTexts();
  usePageTitle(words.title);
  return (
    <div className="page py-6 md:py-8">
      <div className="mx-auto lg:max-w-[46rem]">
        <PageTitle
          title={words.title}
          subtitle={words.lead}
          before={
            <a
              href="/notifications"
              className="inline-flex min-h-9 items-center gap-1.5 rounded-control text-ui font-medium text-ink-2 hover:text-ink"
            >
              <ArrowLeft aria-hidden="true" className="size-4" />
              {title}
            </a>
          }
        />
        <div className="flex flex-col gap-5">
          <Panel title={words.about} query={preferences} loadingHeight="h-96">
            {(read) => <PreferenceList preferences={read} />}
          </Panel>
          {preferences.data && preferences.data.recipient.length > 0 && (
            <Panel title={words.recipients} query={preferences} loadingHeight="h-64">
              {(read) => <RecipientPreferences choices={read.recipient} />}
            </Panel>
          )}
          <Panel title={words.device} query={preferences} loadingHeight="h-16">
            {(read) => <PushSwitch preferences={read} />}
          </Panel>
          <Panel title={words.digest} query={preferences} loadingHeight="h-24">
            {(read) => <DigestForm digest={read.digest} />}
          </Panel>
          <Panel title={words.quiet} query={preferences} loadingHeight="h-24">
            {(read) => <QuietHoursForm quietHours={read.quietHours} />}
          </Panel>
        </div>
      </div>
    </div>
  );
}
