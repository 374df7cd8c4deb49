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
  weight_kg: number;
  events: { type: string; at: string; location: string | null }[];
}

const monthMs = 30 * 86_400_000;

// The straightforward implementation: a handler, a pool, one statement, and mapping the row to the response.
function serve(connection: Connection): Promise<string> {
  const pool = new pg.Pool(connection);
  const app = express();
  app.get('/api/track/:id', async (request, response) => {
    const { rows } = await pool.query<Row>(
      `select p.tracking_id, p.name, p.status, p.location, p.eta, p.estimated_delivery_at, p.completed_at, p.updated_at,
         p.recipient_name, p.hide_recipient, p.category, p.weight_kg,
         (select name from users where id = p.owner_id and p.show_sender) as sender,
         (select split_part(name, ' ', 1) from users
          where id = p.driver_id and p.status in ('in transit', 'out for delivery')) as carrier,
         (select coalesce(json_agg(json_build_object('type', e.type, 'at', e.at, 'location', e.location) order by e.id desc), '[]')
          from package_events e where e.package_id = p.id) as events
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
      completedAt: row.completed_at,
      lastUpdate: row.events[0]?.at ?? row.updated_at,
      recipientName: old || row.hide_recipient ? null : row.recipient_name,
      sender: old ? null : row.sender,
      carrier: row.carrier === null ? null : { firstName: row.carrier },
      category: row.category,
      weight: row.weight_kg,
      events: row.events.map(({ type, at, location }) => ({ type, at, location: old ? null : location })),
    });
  });
  return listen(createServer(app));
}

handleCommands(serve);
