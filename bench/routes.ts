import type { BenchContext } from './bench.ts';
import { startProduct } from './product.ts';
import { measurePlanning } from './planning.ts';
import { median, ratioOf } from './quantiles.ts';
import { administrator, smallOwner } from './seed.ts';
import { smallTable } from './sizes.ts';
import { makePackages } from './waiting-packages.ts';

const manyStops = 500;
const fewStops = 50;
const startedStops = 200;

/** Routes: how the time of a plan grows with its stops and with what waits, and how long a start takes compared with single ones. */
export async function benchRoutes(context: BenchContext): Promise<void> {
  const { databases, size, rounds, report } = context;
  const product = await startProduct(await databases.copy('bench_routes', smallTable));
  try {
    const [admin, owner] = [await product.signIn(administrator), await product.signIn(smallOwner)];
    const depotId = (await admin.api.depots.list())[0]?.id ?? '';
    const drivers = (await admin.api.shifts.drivers({ query: { limit: 2 } })).items;
    const plan = async (stops: number, driverId: string | null) => {
      const packageIds = await makePackages(owner, stops);
      const { id } = await admin.api.routes.create({ body: { day: '2030-01-01', depotId, driverId, confirm: true } });
      await admin.api.routes.addStops({ params: { id }, body: { packageIds } });
      return { id };
    };
    const [many, few] = [await plan(manyStops, null), await plan(fewStops, null)];
    const load = (params: { id: string }, stops: number) => async () => {
      const took: number[] = [];
      for (let call = 0; call < size.lists; call++) {
        const startedAt = performance.now();
        await admin.api.routes.read({ params });
        took.push((performance.now() - startedAt) / stops);
      }
      return median(took);
    };
    const loads = await rounds.interleave(size.rounds, {
      many: load(many, manyStops),
      few: load(few, fewStops),
    });
    report({
      measure: `a route of ${manyStops} stops, per stop`,
      unit: 'ms',
      product: median(loads.many),
      baseline: { name: `a route of ${fewStops}`, figure: median(loads.few) },
      ratio: ratioOf(loads.many, loads.few),
      goal: { of: 'ratio', is: 'at most', bound: 1.5 },
    });

    const [driver] = drivers;
    if (!driver) throw new Error('there is no driver');
    const starts = await rounds.interleave(size.fewRounds, {
      route: async () => {
        const params = await plan(startedStops, driver.id);
        const startedAt = performance.now();
        await admin.api.routes.start({ params });
        const took = performance.now() - startedAt;
        await admin.api.routes.finish({ params });
        return took;
      },
      single: async () => {
        const ids = await makePackages(owner, startedStops);
        const startedAt = performance.now();
        for (const id of ids)
          await admin.api.deliveries.assign({ params: { id }, body: { driverId: driver.id, confirm: true } });
        return performance.now() - startedAt;
      },
    });
    report({
      measure: `start of a route of ${startedStops} stops`,
      unit: 'ms',
      product: median(starts.route),
      baseline: { name: `${startedStops} deliveries, one after another`, figure: median(starts.single) },
      ratio: ratioOf(starts.route, starts.single),
      goal: { of: 'ratio', is: 'at most', bound: 0.3 },
    });
  } finally {
    await product.stop();
  }
  await measurePlanning(context);
}
