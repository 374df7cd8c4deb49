import { useQuery } from '@tanstack/react-query';
import { ApiError } from '@waybill/contract';
import { useSession } from '../platform/session.ts';
import { DescriptionItem } from '../ui/DescriptionItem.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { userQuery } from '../users/admin-queries.ts';
import { useCan } from '../users/useCan.ts';

/** The owner with a link to their account, for readers with `admin.manage_users`; not on one's own package. */
export function PackageOwner({ userId }: { userId: string }) {
  const mayRead = useCan({ permissions: ['admin.manage_users'] });
  const isForeign = useSession().user?.id !== userId;
  const { data: owner, error } = useQuery({ ...userQuery(userId), enabled: mayRead && isForeign });
  if (!mayRead || !isForeign) return null;
  return (
    <DescriptionItem name="Owner">
      {owner ? (
        <a href={`/admin/users?q=${encodeURIComponent(owner.email)}`} className="hover:underline">
          {owner.name}
        </a>
      ) : error ? (
        error instanceof ApiError && error.status === 404 ? (
          'Account deleted'
        ) : (
          error.message
        )
      ) : (
        <Skeleton width="w-32" />
      )}
    </DescriptionItem>
  );
}
