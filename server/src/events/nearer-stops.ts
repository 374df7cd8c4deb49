import { ruleOf } from '@waybill/contract';
import type { Queryable } from '../platform/database/db.ts';
import type { FeedEvent } from './feed-event.ts';

/** The drivers whose other stops are expected at another time after these events: of started routes. */
export function driversOfSteps(events: FeedEvent[]): Set<string> {
  const drivers = events
    .filter(({ type }) => ruleOf(type)?.movesStops)
    .flatMap((event) => [event.driver_id, event.previous_driver_id]);
  return new Set(drivers.filter((id) => id !== null));
}

/**
 * The open stops on the started routes of these drivers, each as a signal that its arrival changed. Derived by each process rather than
 * recorded: a step of one stop would write a row for each of hundreds of others.
 */
export const findNearer = (db: Queryable, driverIds: string[]): Promise<FeedEvent[]> =>
  db.query<FeedEvent>(
    `select p.id, 'delivery.nearer' as type, p.id as package_id, p.tracking_id, p.owner_id, p.driver_id, null::uuid as previous_driver_id,
       null::integer as incident_number, null::uuid as reporter_id, null::uuid as user_id, null::uuid as session_id, null::uuid as import_id
     from routes r join packages p on p.route_id = r.id
     where r.driver_id = any($1::uuid[]) and r.state = 'started' and p.status in ('in transit', 'out for delivery')`,
    [driverIds],
  );
