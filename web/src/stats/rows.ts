import type { FigureRow, PeriodFigure, PresentFigure } from '@waybill/contract';
import { packageStatusOf } from '../shifts/dispatch.ts';
import type { AssignablePackage } from '../shifts/dispatch.ts';

/** Label of the time of a figure's rows. */
export const timeLabels: Record<PresentFigure | PeriodFigure, string> = {
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

/** The package of a row, for dispatch actions; null if the row has none. */
export function packageOf(row: FigureRow): AssignablePackage | null {
  const { packageId, trackingId, name, status, driverId, recipientAddress, window, owner } = row;
  const packageStatus = packageStatusOf(status);
  return packageId && trackingId && packageStatus
    ? { id: packageId, trackingId, name, status: packageStatus, driverId, recipientAddress, window, owner }
    : null;
}
