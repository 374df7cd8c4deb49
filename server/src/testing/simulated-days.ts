import { estimateLeg, type Point } from '../travel/estimate.ts';
import {
  forecast,
  horizonOf,
  paceOf,
  type ArrivalModel,
  type DrivenLeg,
  type DrivenRound,
  type Outcome,
} from '../travel/forecast.ts';

/** A forecast on a simulated day, and what happened. In ms. */
export interface SimulatedOutcome extends Outcome {
  isInside: boolean;
  isLate: boolean;
  /** How far the median was off, and the fixed estimate of so many minutes for each stop. */
  errorMs: number;
  fixedErrorMs: number;
  /** How far the fixed estimate said it was. */
  isShort: boolean;
}

export interface SimulatedDays {
  legs: DrivenLeg[];
  rounds: DrivenRound[];
  outcomes: SimulatedOutcome[];
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const msPerStop = 10 * minuteMs;
const driversOfDay = 6;
const depot: Point = { lon: 13.4, lat: 52.5 };

/** Each stop is the nearest to the one before. */
function inGreedyOrder(points: Point[]): Point[] {
  const left = [...points];
  const order: Point[] = [];
  for (let at = depot; left.length > 0;) {
    let best = 0;
    for (const [index, point] of left.entries())
      if (estimateLeg(at, point).metres < estimateLeg(at, left[best] ?? point).metres) best = index;
    const [next = depot] = left.splice(best, 1);
    order.push(next);
    at = next;
  }
  return order;
}

/**
 * Drives days with rush hours, slow drivers, rain and long waits at doors, and forecasts every arrival each time that a stop comes to
 * another horizon, as the product does. Drivers have no positions.
 * @param paces of drivers, as learned from earlier days
 * @param after so many days, whose outcomes are left out
 */
export function simulateDays(
  seed: number,
  days: number,
  model: ArrivalModel,
  paces: ReadonlyMap<string, number> = new Map(),
  after = 0,
): SimulatedDays {
  const random = randomBy(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const spread = (sigma: number) => Math.exp(sigma * normal() - (sigma * sigma) / 2);
  const drivers = Array.from({ length: driversOfDay }, () => spread(0.12));
  const result: SimulatedDays = { legs: [], rounds: [], outcomes: [] };
  for (let day = 0; day < after + days; day++) {
    const weather = random() < 0.2 ? 1.2 : 1;
    for (const [driver, pace] of drivers.entries()) {
      const driverId = `${driver + 1}`;
      const stops = inGreedyOrder(
        Array.from({ length: 25 + Math.floor(random() * 25) }, () => ({
          lon: depot.lon + (random() - 0.5) * 0.16,
          lat: depot.lat + (random() - 0.5) * 0.1,
        })),
      );
      const startsAt = Date.UTC(2026, 0, 5 + day, 7) + random() * 2 * hourMs;
      // What happens, before anybody forecasts it.
      const arrivals: number[] = [];
      const departures: number[] = [];
      let clock = startsAt;
      let place = depot;
      for (const stop of stops) {
        const hour = (clock % (24 * hourMs)) / hourMs;
        const rush = hour < 10 ? 1.45 : hour >= 16 ? 1.35 : 1;
        const { metres, seconds } = estimateLeg(place, stop);
        // Short legs are slow, long ones fast.
        const roads = metres < 1000 ? 1.25 : metres > 3000 ? 0.85 : 1;
        const driven = seconds * roads * rush * weather * pace * spread(0.25);
        result.legs.push({ from: place, to: stop, at: clock, seconds: driven });
        clock += driven * 1000;
        arrivals.push(clock);
        clock += 165_000 * pace * spread(0.6);
        departures.push(clock);
        place = stop;
      }
      result.rounds.push({
        driverId,
        done: stops.map((point, index) => ({ place: point, at: departures[index] ?? 0 })),
      });
      if (day < after) continue;
      const seen = new Set<string>();
      for (let done = 0; done < stops.length; done++) {
        const now = done === 0 ? startsAt : (departures[done - 1] ?? startsAt);
        const open = stops.slice(done);
        const forecasts = forecast(
          {
            now,
            since: now,
            from: done === 0 ? depot : (stops[done - 1] ?? depot),
            position: null,
            atDoor: false,
            zoneMs: 0,
            stops: open.map((point) => ({ place: point, opensAt: null })),
            msPerStop,
            pace: paceOf(
              stops.slice(0, done).map((point, index) => ({ place: point, at: departures[index] ?? 0 })),
              { place: depot, at: startsAt },
              0,
              model,
              paces.get(driverId),
            ),
            isPlanned: false,
          },
          model,
        );
        for (const [ahead, { expected, window }] of forecasts.entries()) {
          const horizon = horizonOf(ahead);
          const key = `${done + ahead} ${horizon}`;
          const actual = arrivals[done + ahead] ?? 0;
          if (window === null || seen.has(key)) continue;
          seen.add(key);
          result.outcomes.push({
            horizon,
            expectedMs: expected - now,
            actualMs: actual - now,
            isInside: actual >= window.from && actual <= window.to,
            isLate: actual > window.to,
            errorMs: Math.abs(actual - window.median),
            fixedErrorMs: Math.abs(actual - (now + (ahead + 1) * msPerStop)),
            isShort: expected - now < 2 * minuteMs,
          });
        }
      }
    }
  }
  return result;
}
