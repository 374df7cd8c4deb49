import type { FigureRow, PeriodFigure, PresentFigure } from '@waybill/contract';
import { packageStatusOf } from '../shifts/dispatch.ts';
import type { AssignablePackage } from '../shifts/dispatch.ts';

/** What happened at the time that a row of a figure tells. */
export const happened: Record<PresentFigure | PeriodFigure, string> = {
  totalPackages: 'Registered',
  activePackages: 'Registered',
  deliveredPackages: 'Registered',
  inTransitPackages: 'Registered',
  totalDeliveries: 'Registered',
  completedDeliveries: 'Registered',
  pendingDeliveries: 'Registered',
  openIssues: 'Reported',
  resolvedIssues: 'Reported',
  totalUsers: 'Joined',
  activeDrivers: 'Joined',
  totalDrivers: 'Joined',
  packageOwners: 'Joined',
  created: 'Registered',
  started: 'Started',
  completed: 'Delivered',
  onTime: 'Delivered',
  late: 'Delivered',
  failed: 'Failed',
  attempts: 'Ended',
  firstAttempts: 'Ended',
  issuesOpened: 'Reported',
  issuesResolved: 'Resolved',
  ratings: 'Rated',
};

/** The package of a row, for what can be done about who brings it; null where a row is of none. */
export function packageOf(row: FigureRow): AssignablePackage | null {
  const { packageId, trackingId, name, status, driverId, recipientAddress, window, owner } = row;
  const known = packageStatusOf(status);
  return packageId && trackingId && known
    ? { id: packageId, trackingId, name, status: known, driverId, recipientAddress, window, owner }
    : null;
}
