import type { DriverOnDuty, Shift } from '@waybill/contract';

/** A row of the schedule: a driver, or a former one who has a shift. */
export interface ScheduleRow {
  id: string;
  name: string;
  active: boolean;
  onDuty: boolean;
  until: string | null;
  absence: DriverOnDuty['absence'];
}

/** Rows of a week: every active driver, and everybody else with a shift in it. `all`: every driver is loaded (no search, no next page). */
export function rowsOf(drivers: readonly DriverOnDuty[], shifts: readonly Shift[], all: boolean): ScheduleRow[] {
  const planned = new Set(shifts.map(({ driverId }) => driverId));
  const rows = drivers
    .filter(({ id, status }) => status === 'active' || planned.has(id))
    .map(({ id, name, status, onDuty, until, absence }) => ({
      id,
      name,
      active: status === 'active',
      onDuty,
      until,
      absence,
    }));
  // Deleted accounts and former drivers are on no page of drivers: append them after the last page.
  const known = new Set(drivers.map(({ id }) => id));
  const others = all ? shifts.filter(({ driverId }) => !known.has(driverId)) : [];
  for (const { driverId, driver } of others) {
    if (rows.some(({ id }) => id === driverId)) continue;
    rows.push({
      id: driverId,
      name: driver ?? 'Deleted driver',
      active: false,
      onDuty: false,
      until: null,
      absence: null,
    });
  }
  return rows;
}
