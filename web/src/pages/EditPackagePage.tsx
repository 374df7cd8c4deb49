import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { EditPackageForm } from '../packages/EditPackageForm.tsx';
import { packageHref } from '../packages/links.ts';
import { PackageDetailSkeleton } from '../packages/PackageDetailSkeleton.tsx';
import { packageQuery, useLivePackages } from '../packages/queries.ts';
import { useSession } from '../platform/session.ts';
import { Card } from '../ui/Card.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { useDelayedPending } from '../ui/useDelayedPending.ts';
import { PackageFrame } from '../app/PackageFrame.tsx';

/** Edits the details of a package. */
export function EditPackagePage() {
  const { id = '' } = useParams({ strict: false });
  const session = useSession();
  const navigate = useNavigate();
  useLivePackages();
  const query = useQuery(packageQuery(id));
  const pkg = query.data;
  const pending = useDelayedPending(query.isPending);
  const href = pkg ? packageHref(pkg, session) : '/';
  return (
    <PackageFrame>
      <div className="mx-auto lg:max-w-[46rem]">
        <PageTitle title="Edit Package" subtitle={pkg?.name} />
        {pending && <PackageDetailSkeleton />}
        {!pending && !pkg && query.error && (
          <Card>
            <QueryError query={{ ...query, error: query.error }} />
          </Card>
        )}
        {!pending && pkg && <EditPackageForm pkg={pkg} href={href} onSaved={() => void navigate({ href })} />}
      </div>
    </PackageFrame>
  );
}
