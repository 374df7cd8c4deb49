import { useQuery } from '@tanstack/react-query';
import { userQuery } from '../users/admin-queries.ts';
import { useCan } from '../users/useCan.ts';
import type { DestinationInfo } from './Destination.tsx';
import { packageQuery } from './queries.ts';

/** A package as far as it is known. */
interface Known extends Partial<DestinationInfo> {
  id: string;
  userId?: string;
}

/** Where a package goes and whose it is: asked for where it did not come with the package. Null for who may not know, and until it is known. */
export function useDestination(pkg: Known, asked: boolean): DestinationInfo | null {
  const mayReadPackages = useCan({ permissions: ['packages.view_all'] });
  const mayReadUsers = useCan({ permissions: ['admin.manage_users'] });
  const came = pkg.recipientAddress !== undefined;
  const read = useQuery({ ...packageQuery(pkg.id), enabled: asked && !came && mayReadPackages });
  const userId = pkg.userId ?? read.data?.userId;
  const owner = useQuery({
    ...userQuery(userId ?? ''),
    enabled: asked && pkg.owner === undefined && userId !== undefined && mayReadUsers,
  });
  const goal = came ? pkg : read.data;
  if (!goal) return null;
  return {
    recipientAddress: goal.recipientAddress ?? null,
    window: goal.window ?? null,
    owner: pkg.owner ?? owner.data?.name ?? null,
  };
}
