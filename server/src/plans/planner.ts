import type { Plan } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Problem, Solution } from '../optimizer/problem.ts';
import { findOnRoutes } from '../packages/on-routes.ts';
import { startPoll } from '../platform/polls.ts';
import { findPlannedRoutes } from '../routes/replan.ts';
import { findDepotPlace, findStopPlaces } from '../routes/stop-places.ts';
import {
  dayProblem,
  evenSplit,
  placesOfDay,
  presentRoutes,
  resultOf,
  withFreeLocks,
  type Engines,
} from './day-problem.ts';
import { claimPlan, findDriversOfDay, releasePlan, renewLease, storeProgress, type PlanRow } from './queries.ts';
import { openVroom } from './vroom.ts';

/** Looks for plans that nobody has announced: those of other processes, and of servers that died. */
const pollEveryMs = 2000;
/** A search whose server has died begins again after this time. */
const leaseSeconds = 15;
const renewEveryMs = 2000;
/** So often the best so far is stored at most. */
const storeEveryMs = 500;
/** A search that took a server down with it must not take the next one. */
const maxAttempts = 2;
/** The steps by which a plan got better that are kept. */
const maxSteps = 200;

export interface Planner {
  /** Looks for waiting plans now. */
  wake(): void;
  close(): Promise<void>;
}

type PlannerCtx = Pick<Ctx, 'db' | 'optimizer' | 'travel' | 'config' | 'log'>;

/** Solves plans, one at a time in the whole installation. Any number of processes may run one. */
export function openPlanner(ctx: PlannerCtx): Planner {
  const closing = new AbortController();
  let running: Promise<void> | null = null;
  let isWoken = false;

  const work = async () => {
    do {
      isWoken = false;
      const plan = await ctx.db.transaction((tx) => claimPlan(tx, leaseSeconds));
      if (plan) await solve(ctx, plan, closing.signal);
      if (plan) isWoken = true;
    } while (isWoken && !closing.signal.aborted);
  };
  const wake = () => {
    if (closing.signal.aborted) return;
    isWoken = true;
    running ??= work()
      .catch((error: unknown) => ctx.log.warn({ reason: String(error) }, 'plans could not be looked for'))
      .finally(() => (running = null));
  };
  const stopPoll = startPoll(wake, pollEveryMs);
  wake();
  return {
    wake,
    async close() {
      stopPoll();
      closing.abort();
      await running;
    },
  };
}

/** Solves a plan and stores its outcome, whatever happens. When the server closes, the plan is left to the next one. */
async function solve(ctx: PlannerCtx, plan: PlanRow, closing: AbortSignal): Promise<void> {
  const best: Plan['best'] = [];
  const fail = (failure: string) =>
    storeProgress(ctx.db, plan, { state: 'failed', result: plan.result, best, failure });
  if (plan.attempts > maxAttempts) return fail('The server stopped while it searched. Please try again.');
  const lost = new AbortController();
  const signal = AbortSignal.any([closing, lost.signal]);
  const renewal = setInterval(() => {
    renewLease(ctx.db, plan, leaseSeconds).then(
      (isOurs) => isOurs || lost.abort(),
      (error: unknown) => ctx.log.warn({ reason: String(error) }, 'the lease of a plan could not be renewed'),
    );
  }, renewEveryMs);
  let storing = Promise.resolve();
  try {
    const read = await readProblem(ctx, plan);
    if (typeof read === 'string') return await fail(read);
    const { problemOf } = read;
    const even = problemOf(true);
    let engines = read.engines;
    const beside = { split: evenSplit(even), present: presentRoutes(even, read.replanned) };
    let storedAt = 0;
    const keep = (solution: Solution, seconds: number) => {
      best.push({ at: Math.round(seconds * 100) / 100, cost: Math.round(solution.cost) });
      if (best.length > maxSteps) best.splice(1, 1);
      if (performance.now() - storedAt < storeEveryMs) return;
      storedAt = performance.now();
      const progress = {
        state: 'solving' as const,
        result: resultOf(even, solution, beside, engines),
        best: [...best],
      };
      storing = storing
        .then(() => storeProgress(ctx.db, plan, progress))
        .catch((error: unknown) => ctx.log.warn({ reason: String(error) }, 'the best plan so far could not be stored'));
    };
    const search = { limitSeconds: plan.limit_seconds, signal };
    const solve = async (given: Problem, onBest?: typeof keep): Promise<Solution> => {
      const problem = withFreeLocks(given);
      const found = await askVroom(ctx, plan, problem, signal);
      if (found === 'none') return ctx.optimizer.solve(problem, { ...search, onBest });
      if (found) {
        engines = { ...engines, optimizer: 'vroom' };
        return found;
      }
      engines = { ...engines, optimizer: 'built-in', missed: [...new Set([...engines.missed, 'vroom' as const])] };
      return ctx.optimizer.solve(problem, { ...search, onBest });
    };
    let solution = await solve(even.problem, keep);
    if (solution.unassigned.some(({ reason }) => reason === 'too_many_stops')) {
      const byWhom = engines;
      const uneven = await solve(problemOf(false).problem);
      if (uneven.unassigned.length < solution.unassigned.length) solution = uneven;
      else engines = byWhom;
    }
    await storing;
    best.push({ at: plan.limit_seconds, cost: Math.round(solution.cost) });
    await storeProgress(ctx.db, plan, { state: 'ready', result: resultOf(even, solution, beside, engines), best });
  } catch (error) {
    await storing;
    if (closing.aborted) await releasePlan(ctx.db, plan);
    else if (!lost.signal.aborted) {
      const reason = error instanceof Error ? error.message : String(error);
      ctx.log.error({ reason, plan: plan.id }, 'a plan could not be solved');
      await fail('No plan was found. Please try again.');
    }
  } finally {
    clearInterval(renewal);
  }
}

/** @returns 'none' if no VROOM is set; null if it failed, which is logged */
async function askVroom(
  { config, log }: PlannerCtx,
  plan: PlanRow,
  problem: Problem,
  signal: AbortSignal,
): Promise<Solution | 'none' | null> {
  if (config.OPTIMIZER_URL === undefined) return 'none';
  try {
    return await openVroom(config.OPTIMIZER_URL).solve(problem, plan.limit_seconds, signal);
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message.slice(0, 300) : String(error);
    log.warn({ reason, plan: plan.id }, 'VROOM found no plan: the built-in optimizer searches');
    return null;
  }
}

/** @returns the problem of the plan, for even and uneven routes; or why there is none, as a sentence */
async function readProblem(ctx: PlannerCtx, plan: PlanRow) {
  const depot = await findDepotPlace(ctx.db, plan.depot_id);
  if (!depot) return 'The depot has no place any more.';
  const drivers = await findDriversOfDay(ctx.db, plan.day, plan.depot_id, plan.driver_ids, plan.route_ids);
  if (drivers.length === 0) return 'None of the drivers is active any more.';
  const packages = await findOnRoutes(ctx.db, [], plan.package_ids);
  const places = await findStopPlaces(ctx.db, plan.package_ids);
  const day = placesOfDay(depot, drivers, packages, places);
  const { matrix, travelTimes } = await ctx.travel.matrix(day.points);
  const isMissed = ctx.config.ROUTER_URL !== undefined && travelTimes === 'estimated';
  const engines: Engines = { travelTimes, optimizer: 'built-in', missed: isMissed ? ['router'] : [] };
  const replanned = await findPlannedRoutes(ctx.db, plan.route_ids);
  return {
    engines,
    replanned,
    problemOf: (isEven: boolean) => dayProblem(day, matrix, drivers, isEven, replanned),
  };
}
