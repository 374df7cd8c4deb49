import type { Browser, Page } from 'playwright-core';
import pg from 'pg';
import { useEmbeddedPostgres } from '../server/src/embedded-postgres/embedded-postgres.ts';
import type { RunningProduct } from './product.ts';

/** A connection to the database of a running product. */
export async function openDatabase({ dataDir }: RunningProduct) {
  const postgres = await useEmbeddedPostgres({ dataDir, log: () => {} });
  const client = new pg.Client(postgres.connection);
  await client.connect();
  return {
    client,
    async close() {
      await client.end();
      await postgres.stop();
    },
  };
}

/** Drivers on the road with as many stops each, as copies of a package with a place; all within some 30 km. */
export async function insertRounds(client: pg.Client, packageId: string, drivers: number, stopsEach: number) {
  const { rows } = await client.query<{ column_name: string }>(
    `select column_name from information_schema.columns
     where table_name = 'packages' and table_schema = 'public' and is_generated = 'NEVER'`,
  );
  const own: Record<string, string> = {
    id: 'uuidv7()',
    tracking_id: `'PKG-' || lpad((r.number * ${stopsEach} + i)::text, 8, '0')`,
    status: `case when i = 0 then 'out for delivery' else 'in transit' end`,
    driver_id: 'r.driver_id',
    route_id: 'r.id',
    started_at: 'now()',
    place_lon: '10 + random() * 0.4',
    place_lat: '53.5 + random() * 0.25',
    place_accuracy: `'rooftop'`,
    reference: 'null',
  };
  const columns = rows.map(({ column_name: name }) => name);
  const values = columns.map((name) => own[name] ?? `p.${name}`);
  await client.query(
    `insert into users (id, name, email, password_hash, role, status)
     select uuidv7(), 'Driver ' || i, 'round' || i || '@example.com', '-', 'driver', 'active' from generate_series(1, $1::int) i`,
    [drivers],
  );
  await client.query(
    `insert into routes (id, day, depot_id, driver_id, state, started_at, created_at, updated_at)
     select uuidv7(), current_date, (select id from depots limit 1), id, 'started', now(), now(), now()
     from users where email like 'round%'`,
  );
  await client.query(
    `insert into packages (${columns.join(', ')})
     select ${values.join(', ')} from packages p,
       (select id, driver_id, row_number() over () as number from routes where state = 'started') r,
       generate_series(0, ${stopsEach - 1}) i
     where p.id = $1`,
    [packageId],
  );
  await client.query(
    `insert into position_consents select id, now() - interval '1 hour' from users where email like 'round%'`,
  );
  await client.query(
    `insert into driver_positions (driver_id, at, lon, lat)
     select id, now(), 10 + random() * 0.4, 53.5 + random() * 0.25 from users where email like 'round%'`,
  );
  await client.query('analyze');
}

/** Moves every driver, and makes some stops the next one. */
export const moveDrivers = (client: pg.Client) =>
  client.query(
    `with moved as (
       update driver_positions set at = now(), lon = lon + (random() - 0.5) / 500, lat = lat + (random() - 0.5) / 500
     )
     update packages set status = 'out for delivery' where id in (
       select id from packages where status = 'in transit' and route_id is not null order by id limit 5)`,
  );

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** The thread's CPU time: what other programs of the machine do is not in it. */
  tdur?: number;
  args?: { name?: string };
}

export interface MainThread {
  /** The longest task, in ms of CPU and by the clock. */
  longestTask: number;
  longestTaskByClock: number;
  /** The most script within the time of a frame, in ms of CPU: in each two seconds of the recording. */
  mostScript: number[];
  tasks: number;
}

const frameUs = 16_667;
/** As often as the page asks for positions: each has one update of the drivers or of the stops at least. */
const windowUs = 2_000_000;
const scripts = new Set([
  'FunctionCall',
  'EvaluateScript',
  'FireAnimationFrame',
  'TimerFire',
  'EventDispatch',
  'RunMicrotasks',
  'v8.run',
  'v8.compile',
  'MinorGC',
  'MajorGC',
]);

/** Records the page's main thread while `act` runs. */
export async function traceMainThread(browser: Browser, page: Page, act: () => Promise<void>): Promise<MainThread> {
  await browser.startTracing(page, {
    categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8', '__metadata'],
  });
  await act();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const events = trace.traceEvents.filter(({ ph }) => ph === 'X' || ph === 'M');
  const threads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  // The page's own: it has by far the most script.
  const ofThreads = Map.groupBy(
    events.filter(({ ph, pid, tid }) => ph === 'X' && threads.has(`${pid} ${tid}`)),
    ({ pid, tid }) => `${pid} ${tid}`,
  );
  const main = [...ofThreads.values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
  const tasks = main.filter(({ name }) => name === 'RunTask' || name === 'ThreadControllerImpl::RunTask');
  const cpu = ({ tdur, dur }: TraceEvent) => tdur ?? dur ?? 0;
  const outer: TraceEvent[] = [];
  let end = -Infinity;
  for (const event of main.filter(({ name }) => scripts.has(name)).toSorted((a, b) => a.ts - b.ts)) {
    if (event.ts < end) continue;
    outer.push(event);
    end = event.ts + (event.dur ?? 0);
  }
  const from = outer[0]?.ts ?? 0;
  const mostScript: number[] = [];
  for (const [index, { ts }] of outer.entries()) {
    let sum = 0;
    for (let next = index; (outer[next]?.ts ?? Infinity) < ts + frameUs; next++) sum += cpu(outer[next] as TraceEvent);
    const window = Math.floor((ts - from) / windowUs);
    mostScript[window] = Math.max(mostScript[window] ?? 0, sum / 1000);
  }
  return {
    longestTask: Math.max(0, ...tasks.map(cpu)) / 1000,
    longestTaskByClock: Math.max(0, ...tasks.map(({ dur = 0 }) => dur)) / 1000,
    mostScript: mostScript.filter((most) => most > 0),
    tasks: tasks.length,
  };
}
