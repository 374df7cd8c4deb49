import type { Package } from '@waybill/contract';
import type { BenchContext } from './bench.ts';
import { startProduct, type Session } from './product.ts';
import { measurePlanning } from './planning.ts';
import { median, ratioOf } from './quantiles.ts';
import { administrator, smallOwner } from './seed.ts';
import { smallTable } from './sizes.ts';

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

/** Creates waiting packages, some at a time. */
async function makePackages(owner: Session, count: number): Promise<string[]> {
  const made: Package[] = [];
  while (made.length < count)
    made.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(25, count - made.length) }, (_, index) =>
          owner.api.packages.create({ body: bodyOf(made.length + index) }),
        ),
      )),
    );
  return made.map(({ id }) => id);
}

const bodyOf = (number: number) => ({
  name: `Stop ${number}`,
  description: 'A package of a route',
  category: 'Other' as const,
  weight: 2.5,
  recipientName: 'Mara Lindqvist',
  recipientContact: '+49 151 2345678',
  address: { street: `Hafenstraße ${number}`, postalCode: '20457', city: 'Hamburg' },
});
