import { startChild } from './child-process.ts';
import type { Databases } from './databases.ts';
import type { Command } from './invalidation-streams.ts';
import type { Finding } from './report.ts';
import { interleave, median, ratioOf } from './quantiles.ts';
import type { Size } from './sizes.ts';
import type { Arrival, Command as SubscribersCommand } from './subscribers.ts';

const eventsPerSecond = 200;

/** The CPU cost of invalidating every driver's screen for all events of a large installation. */
export async function benchInvalidations(_databases: Databases, size: Size): Promise<Finding[]> {
  const server = await startChild<Command, string | number>('invalidation-streams.ts');
  const subscribers = await startChild<SubscribersCommand, Arrival[]>('subscribers.ts');
  try {
    const { hostname: host, port } = new URL(String(await server.run('listen')));
    const open = Array.from({ length: size.driverStreams }, () => '/');
    await subscribers.run({ open, host, port: Number(port) });
    const measure = async (by: 'product' | 'baseline') =>
      Number(await server.run({ by, seconds: size.hintSeconds, eventsPerSecond }));
    const costs = await interleave(size.rounds, {
      product: () => measure('product'),
      baseline: () => measure('baseline'),
    });
    return [
      {
        promise: `hints to ${size.driverStreams.toLocaleString('en')} drivers' streams, ${eventsPerSecond} events a second`,
        unit: 'CPU s a second',
        product: median(costs.product),
        baseline: { name: 'every event tried on every listener', figure: median(costs.baseline) },
        ratio: ratioOf(costs.product, costs.baseline),
        goal: { of: 'product', is: 'at most', bound: 0.2 },
      },
    ];
  } finally {
    await Promise.all([server.stop(), subscribers.stop()]);
  }
}
