import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Package, PackagePlus, Truck, UserRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { availableQuickSearchQuery, deliveryQuickSearchQuery } from '../deliveries/queries.ts';
import { packageHref } from '../packages/links.ts';
import { packageQuickSearchQuery } from '../packages/queries.ts';
import { useSession } from '../platform/session.ts';
import { foundUsersQuery } from '../users/admin-queries.ts';
import type { Command } from './commands.ts';

const debounceMs = 200;
const minLength = 2;

interface QuickSearch {
  found: Command[];
  searching: boolean;
  /** The error messages of failed searches. */
  failures: string[];
}

/**
 * Searches the server while the user types, debounced: an owner's packages; a driver's deliveries and packages to claim; for
 * administrators all packages, and users.
 */
export function useQuickSearch(typed: string): QuickSearch {
  const session = useSession();
  const { user, role, permissions } = session;
  const q = useDebounced(typed.trim());
  const enabled = q.length >= minLength;
  const may = (permission: (typeof permissions)[number]) => permissions.includes(permission);
  const seesAll = may('packages.view_all');
  const owned = role === 'owner' ? user?.id : undefined;

  const packages = useQuery({
    ...packageQuickSearchQuery(seesAll ? null : (owned ?? ''), q),
    enabled: enabled && (seesAll || owned !== undefined),
    placeholderData: keepPreviousData,
  });
  const deliveries = useQuery({
    ...deliveryQuickSearchQuery(q),
    enabled: enabled && role === 'driver' && may('deliveries.read'),
    placeholderData: keepPreviousData,
  });
  const available = useQuery({
    ...availableQuickSearchQuery(q),
    enabled: enabled && role === 'driver' && may('deliveries.claim'),
    placeholderData: keepPreviousData,
  });
  const users = useQuery({
    ...foundUsersQuery(q),
    enabled: enabled && may('admin.manage_users'),
    placeholderData: keepPreviousData,
  });

  const queries = [packages, deliveries, available, users];
  const searching =
    typed.trim().length >= minLength && (q !== typed.trim() || queries.some(({ isFetching }) => isFetching));
  if (!enabled) return { found: [], searching, failures: [] };
  const failures = queries.flatMap(({ error }) => (error ? [error.message] : []));
  const found: Command[] = [
    ...(packages.data ?? []).map((pkg) => ({
      id: pkg.id,
      group: 'Packages',
      label: pkg.name,
      detail: pkg.trackingId,
      isCode: true,
      icon: Package,
      run: ({ go }: Parameters<Command['run']>[0]) => go(packageHref(pkg, session)),
    })),
    ...(deliveries.data ?? []).map(({ id, packageName, trackingId }) => ({
      id,
      group: 'Deliveries',
      label: packageName,
      detail: trackingId,
      isCode: true,
      icon: Truck,
      run: ({ go }: Parameters<Command['run']>[0]) => go(`/driver/dashboard?q=${trackingId}`),
    })),
    ...(available.data ?? []).map(({ id, name, trackingId }) => ({
      id,
      group: 'Pending Deliveries',
      label: name,
      detail: trackingId,
      isCode: true,
      icon: PackagePlus,
      run: ({ go }: Parameters<Command['run']>[0]) =>
        go(`/driver/dashboard?show=pending&q=${encodeURIComponent(name)}`),
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
  return { found, searching, failures };
}

/** The input, once typing has paused for 200 ms. */
function useDebounced(typed: string): string {
  const [debounced, setDebounced] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(typed), debounceMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return debounced;
}
