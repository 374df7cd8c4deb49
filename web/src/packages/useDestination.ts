import { useQuery } from '@tanstack/react-query';
import { userQuery } from '../users/admin-queries.ts';
import { useCan } from '../users/useCan.ts';
import type { DestinationInfo } from './Destination.tsx';
import { packageQuery } from './queries.ts';

/** A package with whatever destination fields it came with. */
interface PartialPackage extends Partial<DestinationInfo> {
  id: string;
  userId?: string;
}

/** A package's destination and owner; fetches what `pkg` lacks while `enabled`. Null while loading and without permission. */
export function useDestination(pkg: PartialPackage, enabled: boolean): DestinationInfo | null {
  const mayReadPackages = useCan({ permissions: ['packages.view_all'] });
  const mayReadUsers = useCan({ permissions: ['admin.manage_users'] });
  const isIncluded = pkg.recipientAddress !== undefined;
  const read = useQuery({ ...packageQuery(pkg.id), enabled: enabled && !isIncluded && mayReadPackages });
  const userId = pkg.userId ?? read.data?.userId;
  const owner = useQuery({
    ...userQuery(userId ?? ''),
    enabled: enabled && pkg.owner === undefined && userId !== undefined && mayReadUsers,
  });
  const source = isIncluded ? pkg : read.data;
  if (!source) return null;
  return {
    recipientAddress: source.recipientAddress ?? null,
    window: source.window ?? null,
    owner: pkg.owner ?? owner.data?.name ?? null,
  };
}
