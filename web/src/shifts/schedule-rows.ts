import type { DriverOnDuty, Shift } from '@waybill/contract';

/** A driver of the schedule, or somebody who was one when a shift was planned. */
export interface ScheduleRow {
  id: string;
  name: string;
  active: boolean;
  onDuty: boolean;
  until: string | null;
}

/** Who has a row in a week: every active driver, and whoever else has a shift in it. */
export function rowsOf(drivers: readonly DriverOnDuty[], shifts: readonly Shift[], all: boolean): ScheduleRow[] {
  const planned = new Set(shifts.map(({ driverId }) => driverId));
  const rows = drivers
    .filter(({ id, status }) => status === 'active' || planned.has(id))
    .map(({ id, name, status, onDuty, until }) => ({ id, name, active: status === 'active', onDuty, until }));
  // Accounts that are gone, or no driver's any more, are in no list of drivers: they follow once it has ended.
  const known = new Set(drivers.map(({ id }) => id));
  const others = all ? shifts.filter(({ driverId }) => !known.has(driverId)) : [];
  for (const { driverId, driver } of others) {
    if (rows.some(({ id }) => id === driverId)) continue;
    rows.push({ id: driverId, name: driver ?? 'Deleted driver', active: false, onDuty: false, until: null });
  }
  return rows;
}
