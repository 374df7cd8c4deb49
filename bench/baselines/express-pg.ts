import { createServer } from 'node:http';
import express from 'express';
import pg from 'pg';
import { handleCommands } from '../child-process.ts';
import type { Connection } from '../databases.ts';
import { listen } from './listen.ts';

interface Row {
  id: string;
  tracking_id: string;
  name: string;
  status: string;
  location: string | null;
  eta: string | null;
  estimated_delivery_at: Date | null;
  completed_at: Date | null;
  updated_at: Date;
  recipient_name: string;
  hide_recipient: boolean;
  sender: string | null;
  carrier: string | null;
  category: string;
  /** PostgreSQL's numeric comes as text. */
  weight: string;
  events: { type: string; at: string; location: string | null }[];
}

const monthMs = 30 * 86_400_000;

/** `plain` is what one would write first, `tuned` what one would write after profiling it. */
export interface Command {
  connection: Connection;
  variant: 'plain' | 'tuned';
}

// A handler, a pool, one statement, and mapping the row to the response.
function servePlain(app: express.Express, pool: pg.Pool): void {
  app.get('/api/track/:id', async (request, response) => {
    const { rows } = await pool.query<Row>(
      `select p.tracking_id, p.name, p.status, p.location, p.eta, p.estimated_delivery_at, p.completed_at, p.updated_at,
         p.recipient_name, p.hide_recipient, p.category, p.weight,
         (select name from users where id = p.owner_id and p.show_sender) as sender,
         (select split_part(name, ' ', 1) from users
          where id = p.driver_id and p.status in ('in transit', 'out for delivery')) as carrier,
         (select coalesce(json_agg(json_build_object('type', e.type, 'at', e.at, 'location', e.location) order by e.id desc), '[]')
          from events_in_one_table e where e.package_id = p.id) as events
       from packages p where p.tracking_id = $1`,
      [request.params.id],
    );
    const [row] = rows;
    if (!row) {
      response.status(404).json({ message: 'Package not found' });
      return;
    }
    const old = row.completed_at !== null && row.completed_at.getTime() < Date.now() - monthMs;
    response.json({
      trackingId: row.tracking_id,
      name: row.name,
      status: row.status,
      location: old ? null : row.location,
      eta: row.eta,
      estimatedDeliveryTime: row.estimated_delivery_at,
      arrivalWindow: null,
      stopsAway: null,
      driverPosition: null,
      completedAt: row.completed_at,
      nextStep: null,
      lastUpdate: row.events[0]?.at ?? row.updated_at,
      recipientName: old || row.hide_recipient ? null : row.recipient_name,
      sender: old ? null : row.sender,
      carrier: row.carrier === null ? null : { firstName: row.carrier },
      category: row.category,
      weight: Number(row.weight),
      events: row.events.map(({ type, at, location }) => ({ type, at, location: old ? null : location })),
    });
  });
}

/** An instant as the product prints it. */
const instant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const old = 'coalesce(p.completed_at < $2, false)';

const viewSql = `
  select json_build_object('trackingId', p.tracking_id, 'name', p.name, 'status', p.status, 'location', case when not ${old} then p.location end,
    'eta', p.eta, 'estimatedDeliveryTime', ${instant('p.estimated_delivery_at')}, 'arrivalWindow', null, 'stopsAway', null, 'driverPosition', null, 'completedAt', ${instant('p.completed_at')},
    'nextStep', null,
    'lastUpdate', ${instant('coalesce(timeline.last_at, p.updated_at)')},
    'recipientName', case when not ${old} and not p.hide_recipient then p.recipient_name end,
    'sender', case when not ${old} and p.show_sender then (select name from users where id = p.owner_id) end,
    'carrier', (select json_build_object('firstName', split_part(name, ' ', 1)) from users
      where id = p.driver_id and p.status in ('in transit', 'out for delivery')),
    'category', p.category, 'weight', trim_scale(p.weight), 'events', timeline.events)::text as view
  from packages p cross join lateral (
    select coalesce(json_agg(json_build_object('type', e.type, 'at', ${instant('e.at')}, 'location', case when not ${old} then e.location end)
      order by e.id desc), '[]') as events, max(e.at) as last_at
    from events_in_one_table e where e.package_id = p.id) timeline
  where p.tracking_id = $1`;

// A named statement, planned once for each connection; JSON by the database, sent as it is; no ETag.
function serveTuned(app: express.Express, pool: pg.Pool): void {
  app.disable('etag').disable('x-powered-by');
  app.get('/api/track/:id', async (request, response) => {
    const withheldBefore = new Date(Date.now() - monthMs);
    const { rows } = await pool.query<{ view: string }>({
      name: 'view',
      text: viewSql,
      values: [request.params.id, withheldBefore],
    });
    const [row] = rows;
    if (row) response.type('json').send(row.view);
    else response.status(404).json({ message: 'Package not found' });
  });
}

/** A baseline needs no partitions, and to plan for them would take the plain statement twice as long. */
async function copyEvents(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query("select where to_regclass('events_in_one_table') is not null");
  if (rows.length > 0) return;
  await pool.query('create table events_in_one_table as select * from package_events order by id');
  await pool.query('alter table events_in_one_table add primary key (package_id, id)');
  await pool.query('vacuum analyze events_in_one_table');
}

handleCommands(async ({ connection, variant }: Command) => {
  const pool = new pg.Pool(connection);
  await copyEvents(pool);
  const app = express();
  if (variant === 'plain') servePlain(app, pool);
  else serveTuned(app, pool);
  return listen(createServer(app));
});
