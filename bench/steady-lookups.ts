import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { handleCommands } from './child-process.ts';
import { openConnection } from './light-connection.ts';
import { quantile } from './quantiles.ts';

/** Lookups at a fixed rate, regardless of earlier responses (open workload). The answer is their 99th percentile, in ms. */
export interface SteadyLoad {
  url: string;
  trackingIds: string[];
  perSecond: number;
  seconds: number;
}

/** More than wait at once unless the server hangs. */
const connections = 64;

// A process of its own, with a light client: the garbage of a heavy one would stop it for 10 to 20 ms, and these would be the percentile.
handleCommands(async ({ url, trackingIds, perSecond, seconds }: SteadyLoad) => {
  const { hostname, port, host } = new URL(url);
  const waiting = new Map<Socket, PromiseWithResolvers<void>>();
  const idle: Socket[] = await Promise.all(
    Array.from({ length: connections }, () =>
      openConnection(hostname, Number(port), {
        answered(socket, status) {
          if (status === 200) waiting.get(socket)?.resolve();
          else waiting.get(socket)?.reject(new Error(`a lookup was answered ${status}`));
        },
        broken() {
          for (const { reject } of waiting.values()) reject(new Error('a connection was closed'));
        },
      }),
    ),
  );
  const timeOf = async (trackingId: string, dueAt: number) => {
    // The longest idle first, so that none is idle until the server closes it.
    const socket = idle.shift();
    if (!socket) throw new Error(`${connections} lookups wait for their answers`);
    const answer = Promise.withResolvers<void>();
    waiting.set(socket, answer);
    socket.write(`GET /api/track/${trackingId} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 'latin1');
    await answer.promise;
    const took = performance.now() - dueAt;
    waiting.delete(socket);
    idle.push(socket);
    return took;
  };
  const took: Promise<number>[] = [];
  const startedAt = performance.now();
  for (let count = 0; count < perSecond * seconds; count++) {
    const dueAt = startedAt + (count * 1000) / perSecond;
    if (dueAt > performance.now()) await sleep(dueAt - performance.now());
    took.push(timeOf(trackingIds[count % trackingIds.length] ?? '', dueAt));
  }
  const all = await Promise.all(took);
  for (const socket of idle) socket.destroy();
  return quantile(all, 0.99);
});
