import { startChild } from './child.ts';
import type { Databases } from './databases.ts';
import type { Ask } from './invalidation-streams.ts';
import type { Finding } from './report.ts';
import { interleave, median, ratioOf } from './quantiles.ts';
import type { Size } from './sizes.ts';
import type { Arrival, Ask as AskSubscribers } from './subscribers.ts';

const eventsPerSecond = 200;

/** What it costs to tell every driver's screen of everything that happens in a large installation. */
export async function benchHints(_databases: Databases, size: Size): Promise<Finding[]> {
  const server = await startChild<Ask, string | number>('invalidation-streams.ts');
  const subscribers = await startChild<AskSubscribers, Arrival[]>('subscribers.ts');
  try {
    const { hostname: host, port } = new URL(String(await server.ask('listen')));
    const open = Array.from({ length: size.driverStreams }, () => '/');
    await subscribers.ask({ open, host, port: Number(port) });
    const measure = async (by: 'product' | 'baseline') =>
      Number(await server.ask({ by, seconds: size.hintSeconds, eventsPerSecond }));
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
