import { DriverBar } from '../deliveries/DriverBar.tsx';
import { IncidentList } from '../incidents/IncidentList.tsx';
import { texts } from '../incidents/texts.ts';
import { usePageTitle } from '../platform/page-title.ts';
import { useSession } from '../platform/session.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { useCan } from '../users/useCan.ts';
import { ReportOwnIssue } from './parts/ReportOwnIssue.tsx';

/** Awaited before the page is shown. */
export { loadIssueTexts } from '../incidents/texts.ts';

/** The incidents of the user's own packages or deliveries, with their status. */
export function IncidentsPage() {
  const { role } = useSession();
  const mayReport = useCan({ roles: ['owner'], permissions: ['deliveries.read', 'packages.read'], requireAll: true });
  usePageTitle(texts.title);
  return (
    <div className="page py-6 md:py-8">
      <div className="mx-auto lg:max-w-[46rem]">
        <PageTitle title={texts.title} subtitle={role === 'driver' ? texts.leadDriver : texts.leadOwner} />
        {mayReport && (
          <div className="mb-6 empty:hidden">
            <ReportOwnIssue />
          </div>
        )}
        <IncidentList />
      </div>
      {role === 'driver' && <DriverBar at={null} labels={texts.bar} />}
    </div>
  );
}
