import type { Queryable } from '../platform/database/db.ts';

/** Faults of routes, as SQL that selects one row for each. None of them can come about by the product itself. */
const faults = {
  'open packages on finished routes': `
    select from packages p join routes r on r.id = p.route_id
    where r.state = 'finished' and p.status in ('in transit', 'out for delivery') and p.driver_id is distinct from r.driver_id`,
  'packages on the road with a planned route': `
    select from packages p join routes r on r.id = p.route_id
    where r.state = 'planned' and p.status in ('in transit', 'out for delivery')`,
  'packages twice in an order': `
    select from routes r where r.state <> 'finished' and cardinality(r.stop_ids) <> (select count(distinct stop.id) from unnest(r.stop_ids) as stop (id))`,
  'unknown packages in an order': `
    select from routes r cross join lateral unnest(r.stop_ids) as stop (id)
    where r.state <> 'finished' and not exists (select from packages p where p.id = stop.id)`,
  'packages on a route that is not there': `
    select from packages p where p.route_id is not null and not exists (select from routes r where r.id = p.route_id)`,
};

/** @returns what is wrong and how often; nothing where all is right */
export async function findRouteFaults(db: Queryable): Promise<string[]> {
  const found: string[] = [];
  for (const [what, sql] of Object.entries(faults)) {
    const [row] = await db.query<{ total: string }>(`select count(*) as total from (${sql} limit 1000) faults`);
    if (Number(row?.total ?? 0) > 0) found.push(`${row?.total} ${what}`);
  }
  return found;
}
