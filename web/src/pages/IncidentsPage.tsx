import { DriverBar } from '../deliveries/DriverBar.tsx';
import { IncidentList } from '../incidents/IncidentList.tsx';
import { useSession } from '../platform/session.ts';
import { PageTitle } from '../ui/PageTitle.tsx';

/** What was reported on one's own packages or deliveries, and how far it is. */
export function IncidentsPage() {
  const { role } = useSession();
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
        <IncidentList />
      </div>
      {role === 'driver' && <DriverBar at={null} />}
    </div>
  );
}
