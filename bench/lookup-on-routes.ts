import pg from 'pg';
import type { BenchContext } from './bench.ts';
import { startChild } from './child-process.ts';
import type { Connection } from './databases.ts';
import type { LightLoad, LightResult } from './light-client.ts';
import type { IdsByKind } from './lookup-paths.ts';
import { startProduct, type Session } from './product.ts';
import { median, ratioOf } from './quantiles.ts';
import { administrator, driverEmail, smallOwner } from './seed.ts';
import { connections, smallTable } from './sizes.ts';
import { makePackages } from './waiting-packages.ts';

const routes = 20;
const stopsOfRoute = 75;

/**
 * Public lookups of the stops of started routes: the arrival of each depends on all stops before it, and the driver's position is shown at
 * the next one.
 */
export async function measureLookupsOnRoutes({ databases, size, rounds, report, note }: BenchContext): Promise<void> {
  const database = await databases.copy('bench_lookup_routes', smallTable);
  const product = await startProduct(database);
  const light = await startChild<LightLoad | { ids: IdsByKind }, LightResult>('light-client.ts');
  try {
    const [admin, owner] = [await product.signIn(administrator), await product.signIn(smallOwner)];
    const depotId = (await admin.api.depots.list())[0]?.id ?? '';
    const drivers: Session[] = [];
    const onRoutes: string[] = [];
    for (let number = 1; number <= routes; number++) {
      const driver = await product.signIn(driverEmail(number));
      drivers.push(driver);
      const packageIds = await makePackages(owner, stopsOfRoute);
      onRoutes.push(...packageIds);
      const body = { day: '2030-01-01', depotId, driverId: driver.id, confirm: true as const };
      const { id } = await admin.api.routes.create({ body });
      await admin.api.routes.addStops({ params: { id }, body: { packageIds } });
      await admin.api.routes.start({ params: { id } });
    }
    const plain = await makePackages(owner, onRoutes.length);
    const ids = await placeDrivers(database.connection, { 'on a route': onRoutes, plain });
    await light.run({ ids });
    const lookUp = (kind: string) => async () => {
      const lookups = { kind, count: ids[kind]?.length ?? 0, addresses: 0 };
      const load = { url: product.url, connections, seconds: size.lookupSeconds, lookups, status: 200 };
      const { perSecond, failed } = await light.run(load);
      if (failed > 0) throw new Error(`${failed} lookups ${kind} failed`);
      return perSecond;
    };
    for (const kind of Object.keys(ids)) {
      const lookups = { kind, count: ids[kind]?.length ?? 0, addresses: 0 };
      if (size.warmUpSeconds > 0)
        await light.run({ url: product.url, connections, seconds: size.warmUpSeconds, lookups, status: 200 });
    }
    const took = await rounds.interleave(size.lookupRounds, {
      onRoute: lookUp('on a route'),
      plain: lookUp('plain'),
      // Reports take time themselves, so both are measured beside them.
      onRouteBeside: () => whileReporting(drivers, lookUp('on a route')),
      plainBeside: () => whileReporting(drivers, lookUp('plain')),
    });
    for (const [what, perSecond, plainPerSecond] of [
      ['', took.onRoute, took.plain],
      [`, while ${drivers.length} drivers report where they are each second`, took.onRouteBeside, took.plainBeside],
    ] as const)
      report({
        measure: `stops of started routes, by the light client${what}`,
        unit: 'requests/s',
        product: median(perSecond),
        baseline: {
          name: `as many packages that wait${what && ', beside the same reports'}`,
          figure: median(plainPerSecond),
        },
        ratio: ratioOf(perSecond, plainPerSecond),
        goal: { of: 'ratio', is: 'at least', bound: 0.8 },
      });
    note(
      `Stops of started routes: ${drivers.length} routes of ${stopsOfRoute} stops; ${size.lookupRounds} rounds. Each report of a driver changes what is kept of the route; without reports nothing changes.`,
    );
  } finally {
    await Promise.all([product, light].map((child) => child.stop()));
  }
}

/** Each driver reports another position once a second, ten times as often as the app does. */
async function whileReporting<T>(drivers: Session[], run: () => Promise<T>): Promise<T> {
  const reports: Promise<unknown>[] = [];
  const timer = setInterval(() => {
    const { [reports.length % drivers.length]: driver } = drivers;
    const position = { at: new Date().toISOString(), lon: 9.99 + reports.length / 1e5, lat: 53.55 };
    reports.push(driver?.api.positions.report({ body: { positions: [position] } }) ?? Promise.resolve());
  }, 1000 / drivers.length);
  try {
    return await run();
  } finally {
    clearInterval(timer);
    await Promise.all(reports);
  }
}

/** Gives all drivers a position that they have agreed to show. @returns the tracking IDs of these packages in random order */
async function placeDrivers(connection: Connection, packageIds: Record<string, string[]>): Promise<IdsByKind> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(
      `insert into position_consents (user_id, agreed_at) select id, now() - interval '1 day' from users where role = 'driver'`,
    );
    await client.query(
      `insert into driver_positions (driver_id, at, lon, lat) select id, now(), 9.99, 53.55 from users where role = 'driver'`,
    );
    const found: IdsByKind = {};
    for (const [kind, ids] of Object.entries(packageIds)) {
      const { rows } = await client.query<{ tracking_id: string }>(
        'select tracking_id from packages where id = any($1) order by random()',
        [ids],
      );
      found[kind] = rows.map((row) => row.tracking_id);
    }
    return found;
  } finally {
    await client.end();
  }
}
