import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { DigestForm } from '../notifications/DigestForm.tsx';
import { PreferenceList } from '../notifications/PreferenceList.tsx';
import { PushSwitch } from '../notifications/PushSwitch.tsx';
import { QuietHoursForm } from '../notifications/QuietHoursForm.tsx';
import { RecipientPreferences } from '../notifications/RecipientPreferences.tsx';
import { preferencesQuery } from '../notifications/queries.ts';
import { Panel } from '../ui/Panel.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';

export function NotificationPreferencesPage() {
  const preferences = useQuery(preferencesQuery());
  return (
    <div className="page py-6 md:py-8">
      <div className="mx-auto max-w-[46rem]">
        <PageTitle
          title="Notification Preferences"
          subtitle="What you are told of, here in Waybill, by e-mail, by SMS and on your devices"
          before={
            <a
              href="/notifications"
              className="inline-flex min-h-9 items-center gap-1.5 rounded-control text-ui font-medium text-ink-2 hover:text-ink"
            >
              <ArrowLeft aria-hidden="true" className="size-4" />
              Notifications
            </a>
          }
        />
        <div className="flex flex-col gap-5">
          <Panel title="Tell me about" query={preferences} loadingHeight="h-96">
            {(read) => <PreferenceList preferences={read} />}
          </Panel>
          {preferences.data && preferences.data.recipient.length > 0 && (
            <Panel title="Tell recipients" query={preferences} loadingHeight="h-64">
              {(read) => <RecipientPreferences choices={read.recipient} />}
            </Panel>
          )}
          <Panel title="This device" query={preferences} loadingHeight="h-16">
            {(read) => <PushSwitch preferences={read} />}
          </Panel>
          <Panel title="Daily summary" query={preferences} loadingHeight="h-24">
            {(read) => <DigestForm digest={read.digest} />}
          </Panel>
          <Panel title="Quiet hours" query={preferences} loadingHeight="h-24">
            {(read) => <QuietHoursForm quietHours={read.quietHours} />}
          </Panel>
        </div>
      </div>
    </div>
  );
}
