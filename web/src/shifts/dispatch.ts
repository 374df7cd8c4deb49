import { packageStatuses } from '@waybill/contract';
import type { PackageStatus } from '@waybill/contract';
import type { DestinationInfo } from '../packages/Destination.tsx';

/** A package as far as it is of interest who brings it. */
export interface AssignablePackage extends Partial<DestinationInfo> {
  id: string;
  name: string;
  trackingId: string;
  status: PackageStatus;
  driverId: string | null;
  /** Whose it is, where the name did not come with it. */
  userId?: string;
}

export type DispatchAction = 'assign' | 'take back';

/** A dialog that stands open. */
export interface Dispatch {
  action: DispatchAction;
  pkg: AssignablePackage;
}

/** A status of packages; null for what is none, such as an account's. */
export const packageStatusOf = (status: string): PackageStatus | null =>
  packageStatuses.find((known) => known === status) ?? null;
