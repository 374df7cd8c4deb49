import { channelNames, channels } from '@waybill/contract';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { channelTexts } from '../notifications/channel-texts.ts';
import { PreferenceList } from '../notifications/PreferenceList.tsx';
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
          subtitle="What you are told of, here in Waybill"
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
          {channelNames.map((channel) => (
            <Panel key={channel} title={channelTexts[channel].preferences} query={preferences} loadingHeight="h-96">
              {(read) => <PreferenceList channel={channel} preferences={read[channels[channel].preferences]} />}
            </Panel>
          ))}
        </div>
      </div>
    </div>
  );
}
