import { packageStatuses } from '@waybill/contract';
import type { PackageStatus } from '@waybill/contract';
import type { DestinationInfo } from '../packages/Destination.tsx';

/** The fields of a package that dispatch actions need. */
export interface AssignablePackage extends Partial<DestinationInfo> {
  id: string;
  name: string;
  trackingId: string;
  status: PackageStatus;
  driverId: string | null;
  /** The owner's id, to look up a name that is not included. */
  userId?: string;
}

export type DispatchAction = 'assign' | 'take back';

/** The open dialog. */
export interface Dispatch {
  action: DispatchAction;
  pkg: AssignablePackage;
}

/** Narrows to a package status; null for others, such as an account's status. */
export const packageStatusOf = (status: string): PackageStatus | null =>
  packageStatuses.find((known) => known === status) ?? null;
