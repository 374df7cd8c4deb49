import { useQuery } from '@tanstack/react-query';
import type { DriverOnDuty } from '@waybill/contract';
import { useSession } from '../platform/session.ts';
import { activeDriversQuery, useLiveShifts } from './queries.ts';

/** Every active driver and whether they are on duty, live; empty without the permission `deliveries.assign`. */
export function useDuty(): DriverOnDuty[] {
  useLiveShifts();
  const { permissions } = useSession();
  const { data } = useQuery({ ...activeDriversQuery(), enabled: permissions.includes('deliveries.assign') });
  return data ?? [];
}
