import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Package, Truck, UserRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { foundDeliveriesQuery } from '../deliveries/queries.ts';
import { packageHref } from '../packages/links.ts';
import { foundPackagesQuery } from '../packages/queries.ts';
import { useSession } from '../platform/session.ts';
import { foundUsersQuery } from '../users/admin-queries.ts';
import type { Command } from './commands.ts';

const pauseMs = 200;
const shortest = 2;

/** What the server finds for what is typed: one's own packages or deliveries; for administrators all packages, and users. */
export function useFound(typed: string): { found: Command[]; searching: boolean } {
  const session = useSession();
  const { user, role, permissions } = session;
  const q = useTypedPause(typed.trim());
  const asked = q.length >= shortest;
  const may = (permission: (typeof permissions)[number]) => permissions.includes(permission);
  const everybodys = may('packages.view_all');
  const owned = role === 'owner' ? user?.id : undefined;

  const packages = useQuery({
    ...foundPackagesQuery(everybodys ? null : (owned ?? ''), q),
    enabled: asked && (everybodys || owned !== undefined),
    placeholderData: keepPreviousData,
  });
  const deliveries = useQuery({
    ...foundDeliveriesQuery(q),
    enabled: asked && role === 'driver' && may('deliveries.read'),
    placeholderData: keepPreviousData,
  });
  const users = useQuery({
    ...foundUsersQuery(q),
    enabled: asked && may('admin.manage_users'),
    placeholderData: keepPreviousData,
  });

  const searching =
    typed.trim().length >= shortest &&
    (q !== typed.trim() || packages.isFetching || deliveries.isFetching || users.isFetching);
  if (!asked) return { found: [], searching };
  const found: Command[] = [
    ...(packages.data ?? []).map((pkg) => ({
      id: pkg.id,
      group: 'Packages',
      label: pkg.name,
      detail: pkg.trackingId,
      icon: Package,
      run: ({ go }: Parameters<Command['run']>[0]) => go(packageHref(pkg, session)),
    })),
    ...(deliveries.data ?? []).map(({ id, packageName, trackingId }) => ({
      id,
      group: 'Deliveries',
      label: packageName,
      detail: trackingId,
      icon: Truck,
      run: ({ go }: Parameters<Command['run']>[0]) => go(`/driver/dashboard?q=${trackingId}`),
    })),
    ...(users.data ?? []).map(({ id, name, email }) => ({
      id,
      group: 'Users',
      label: name,
      detail: email,
      icon: UserRound,
      run: ({ go }: Parameters<Command['run']>[0]) => go(`/admin/users?q=${encodeURIComponent(email)}`),
    })),
  ];
  return { found, searching };
}

/** What was typed, once the typing pauses. */
function useTypedPause(typed: string): string {
  const [paused, setPaused] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return paused;
}
