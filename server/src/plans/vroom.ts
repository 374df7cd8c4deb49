import * as z from 'zod/mini';
import { checkSolution } from '../optimizer/checker.ts';
import { solutionOf } from '../optimizer/given-order.ts';
import type { Problem, Solution } from '../optimizer/problem.ts';
import { openHttpClient } from '../platform/outgoing/requests.ts';

/** How much longer than the search the answer may take. */
const graceMs = 5000;
const maxReplyBytes = 8 * 1024 * 1024;
/** VROOM counts in whole numbers: kilograms in g, and costs in tenths. */
const gramsPerKg = 1000;
const costScale = 10;
const anyCapacity = 1e9;
const anyTime = 1e9;

const step = z.object({ type: z.string(), id: z.optional(z.int()) });
const Reply = z.object({
  code: z.literal(0),
  routes: z.array(z.object({ vehicle: z.int(), steps: z.array(step) })),
});

export interface Vroom {
  /**
   * Asks VROOM, with our own matrices. Its answer is timed again, and passes the checker as our own do.
   * @throws Error when it does not answer in time, answers nonsense, or breaks a limit
   */
  solve(problem: Problem, limitSeconds: number, signal: AbortSignal): Promise<Solution>;
}

/** @param grace for tests, in ms */
export function openVroom(url: string, grace = graceMs): Vroom {
  return {
    async solve(problem, limitSeconds, signal) {
      if (problem.stops.some(({ locked }) => locked)) throw new Error('VROOM knows no locked stops');
      const http = openHttpClient({ publicOnly: false, timeoutMs: limitSeconds * 1000 + grace, maxReplyBytes });
      try {
        const body = await bodyOf(problem);
        const headers = { 'content-type': 'application/json', accept: 'application/json' };
        const { status, text } = await http.send({ url, headers, body }, signal);
        if (status !== 200) throw new Error(`VROOM answered ${status}`);
        return readReply(problem, text);
      } finally {
        http.close();
      }
    },
  };
}

/** Row by row, so that a large matrix does not hold up other requests. */
async function bodyOf({ matrix, stops, vehicles, costs }: Problem): Promise<Buffer> {
  const skills = [...new Set([...stops, ...vehicles].flatMap((one) => one.skills))];
  const numbers = (of: readonly string[]) => of.map((skill) => skills.indexOf(skill) + 1);
  const from = Math.min(0, ...vehicles.map(({ shift }) => shift[0]), ...stops.flatMap(({ windows }) => windows.flat()));
  const time = (seconds: number, round: (value: number) => number) =>
    Number.isFinite(seconds) ? round(seconds - from) : anyTime;
  const grams = (kilograms: number | null) => (kilograms === null ? anyCapacity : Math.round(kilograms * gramsPerKg));
  const head = {
    jobs: stops.map(({ place, serviceSeconds, windows, kilograms, skills: needed }, id) => ({
      id,
      location_index: place,
      service: Math.ceil(serviceSeconds),
      delivery: [grams(kilograms)],
      skills: numbers(needed),
      // A window shorter than a second has no whole one.
      ...(windows.length > 0 && {
        time_windows: windows.map(([begin, end]) => [
          time(begin, Math.ceil),
          Math.max(time(begin, Math.ceil), time(end, Math.floor)),
        ]),
      }),
    })),
    vehicles: vehicles.map(({ start, end, shift, capacityKg, maxStops, skills: has, fixedCost }, id) => ({
      id,
      start_index: start,
      ...(end !== null && { end_index: end }),
      capacity: [grams(capacityKg)],
      skills: numbers(has),
      time_window: [time(shift[0], Math.ceil), time(shift[1], Math.floor)],
      costs: { fixed: Math.round(fixedCost * costScale) },
      ...(maxStops !== null && { max_tasks: maxStops }),
    })),
  };
  const parts = [JSON.stringify(head).slice(0, -1), ',"matrices":{"car":{'];
  const rows = async (name: string, valueOf: (arc: number) => number) => {
    parts.push(`"${name}":[`);
    for (let row = 0; row < matrix.size; row++) {
      const values = Array.from({ length: matrix.size }, (_, column) => valueOf(row * matrix.size + column));
      parts.push(row > 0 ? ',[' : '[', values.join(), ']');
      if (row % 50 === 49) await new Promise(setImmediate);
    }
    parts.push(']');
  };
  await rows('durations', (arc) => Math.ceil(matrix.seconds[arc] ?? 0));
  parts.push(',');
  await rows('costs', (arc) =>
    Math.round((costs.perSecond * (matrix.seconds[arc] ?? 0) + costs.perMetre * (matrix.metres[arc] ?? 0)) * costScale),
  );
  parts.push('}}}');
  return Buffer.from(parts.join(''));
}

function readReply(problem: Problem, text: string): Solution {
  const { routes } = Reply.parse(JSON.parse(text));
  const orders = new Map<string, string[]>();
  for (const { vehicle, steps } of routes) {
    const id = problem.vehicles[vehicle]?.id;
    if (id === undefined || orders.has(id)) throw new Error('VROOM answered vehicles that nobody asked for');
    orders.set(
      id,
      steps
        .filter(({ type }) => type === 'job')
        .map((job) => {
          const stop = problem.stops[job.id ?? -1]?.id;
          if (stop === undefined) throw new Error('VROOM answered stops that nobody asked for');
          return stop;
        }),
    );
  }
  const solution = solutionOf(problem, orders);
  const [fault] = checkSolution(problem, solution);
  if (fault) throw new Error(`VROOM broke a limit: ${fault.code} of ${fault.of}, ${fault.message}`);
  return solution;
}
