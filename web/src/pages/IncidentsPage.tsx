import { DriverBar } from '../deliveries/DriverBar.tsx';
import { IncidentList } from '../incidents/IncidentList.tsx';
import { useSession } from '../platform/session.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { useCan } from '../users/useCan.ts';
import { ReportOwnIssue } from './parts/ReportOwnIssue.tsx';

/** The incidents of the user's own packages or deliveries, with their status. */
export function IncidentsPage() {
  const { role } = useSession();
  const mayReport = useCan({ roles: ['owner'], permissions: ['deliveries.read', 'packages.read'], requireAll: true });
  return (
    <div className="page py-6 md:py-8">
      <div className="mx-auto max-w-[46rem]">
        <PageTitle
          title="Reported Issues"
          subtitle={
            role === 'driver'
              ? 'What you have reported, and what is about your deliveries'
              : 'What was reported on your packages, and how far it is'
          }
        />
        {mayReport && (
          <div className="mb-6 empty:hidden">
            <ReportOwnIssue />
          </div>
        )}
        <IncidentList />
      </div>
      {role === 'driver' && <DriverBar at={null} />}
    </div>
  );
}
