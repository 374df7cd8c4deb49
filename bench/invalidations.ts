import type { BenchContext } from './bench.ts';
import { startChild } from './child-process.ts';
import type { Command } from './invalidation-streams.ts';
import { median, ratioOf } from './quantiles.ts';
import type { Arrival, Command as SubscribersCommand } from './subscribers.ts';

const eventsPerSecond = 200;

/** The CPU cost of invalidating every driver's screen for all events of a large installation. */
export async function benchInvalidations({ size, rounds, report }: BenchContext): Promise<void> {
  const server = await startChild<Command, string | number>('invalidation-streams.ts');
  const subscribers = await startChild<SubscribersCommand, Arrival[]>('subscribers.ts');
  try {
    const { hostname: host, port } = new URL(String(await server.run('listen')));
    const open = Array.from({ length: size.driverStreams }, () => '/');
    await subscribers.run({ open, host, port: Number(port) });
    const measure = async (by: 'product' | 'baseline') =>
      Number(await server.run({ by, seconds: size.hintSeconds, eventsPerSecond }));
    const costs = await rounds.interleave(size.rounds, {
      product: () => measure('product'),
      baseline: () => measure('baseline'),
    });
    report({
      measure: `hints to ${size.driverStreams.toLocaleString('en')} drivers' streams, ${eventsPerSecond} events a second`,
      unit: 'CPU s a second',
      product: median(costs.product),
      baseline: { name: 'check every event against every listener', figure: median(costs.baseline) },
      ratio: ratioOf(costs.product, costs.baseline),
      goal: { of: 'product', is: 'at most', bound: 0.2 },
    });
  } finally {
    await Promise.all([server.stop(), subscribers.stop()]);
  }
}
