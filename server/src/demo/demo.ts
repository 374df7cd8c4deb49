import { randomBytes } from 'node:crypto';
import type { User } from '@waybill/contract';
import type { Logger } from 'pino';
import { v7 as uuid } from 'uuid';
import type { Config } from '../config.ts';
import type { Ctx } from '../ctx.ts';
import { arriveAt, completeDelivery, failDelivery, markNext, startDelivery } from '../deliveries/steps.ts';
import { demoAddress } from './accounts.ts';
import { openImageMaker, type ImageMaker } from './images.ts';
import { createDepot, listDepots, updateDepot } from '../depots/service.ts';
import { depots, planDemo, planShifts, planTown } from './plan.ts';
import { people, portraits, type Person, type RouteStep, type Step } from './story.ts';
import type { PlannedRoute } from './day.ts';
import type { JobName } from '../events/event-jobs.ts';
import { moveIncident, listAccessibleIncidents, reportOnDelivery, reportOnPackage } from '../incidents/service.ts';
import { jobs } from '../jobs.ts';
import { readAllNotifications } from '../notifications/service.ts';
import { createPackage } from '../packages/create.ts';
import { chooseNextStep } from '../packages/next-step.ts';
import { addToGazetteer } from '../places/gazetteer.ts';
import { ratePackage } from '../packages/rating.ts';
import { updatePackage } from '../packages/update.ts';
import type { Connection, Db, Tx } from '../platform/database/db.ts';
import { unlimited } from '../platform/load/rate-limits.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { addStops } from '../routes/planning.ts';
import { finishRoute, startRoute } from '../routes/round.ts';
import { createRoute } from '../routes/service.ts';
import { openServer } from '../server.ts';
import { createShift } from '../shifts/service.ts';
import { createAccount, updateProfile } from '../users/service.ts';

/** The number of unread notifications of the demo owner. */
const unreadNotifications = 3;

/** Fills an empty database at the first start, and logs the generated password, once. */
export async function seedDemo(config: Config, connection: Connection, log: Logger): Promise<void> {
  const product = await openServer({ config, connection, log, runsJobs: false });
  try {
    const password = await makeDemo(product.ctx);
    log.info(
      `demo accounts: owner@demo.example, driver@demo.example, admin@demo.example; password for all three: ${password}` +
        ' (and for the other owners and drivers of the demo)',
    );
  } finally {
    await product.close();
  }
}

/**
 * Creates accounts and 90 days of packages to try the product with, through the product's own services, so that all data are
 * consistent. All in one transaction: an interrupted start leaves an empty database, and the next one starts over.
 * @returns the password of all demo accounts
 */
export async function makeDemo(ctx: Ctx): Promise<string> {
  const password = randomBytes(9).toString('base64url');
  const { timeZone } = await ctx.settings.find();
  const { steps: plan, routes } = planDemo(ctx.now(), timeZone);
  await using imageMaker = await openImageMaker();
  imageMaker.prepare(plan.flatMap((step) => (step.do === 'create' ? step.pictures : [])));
  await ctx.db.transaction(async (tx) => {
    // Seeding takes longer than a request's transaction_timeout on a slow machine. (PostgreSQL 15 and 16 lack this setting.)
    await tx.query("select set_config(name, '0', true) from pg_settings where name = 'transaction_timeout'");
    const past = timeTravelContext(ctx, tx);
    await addToGazetteer(tx, planTown());
    const actors = new Map<Person, Actor>();
    for (const [person, { name, role, ...more }] of Object.entries(people) as [Person, (typeof people)[Person]][]) {
      const account = { name, email: demoAddress(person), password, role };
      const actor = asActor(await createAccount(past.at(ctx.now()).db, account));
      if ('profile' in more)
        await imageMaker.withImages(past.at(ctx.now()), actor, [portraits[person]], 'profiles', ([profilePicture]) =>
          updateProfile(past.at(ctx.now()), actor, { ...more.profile, profilePicture }),
        );
      actors.set(person, actor);
    }
    const admin = actorOf(actors, 'admin');
    const state: SeedState = {
      actors,
      packageIds: new Map(),
      routes,
      routeIds: new Map(),
      depotIds: await makeDepots(past.at(ctx.now()), admin, timeZone),
      imageMaker,
    };
    const firstUnread = firstUnreadStep(plan, 'owner', unreadNotifications);
    for (const step of plan) {
      const actor = actorOf(actors, step.by);
      // Mark all earlier notifications as read.
      if (step === firstUnread)
        for (const reader of actors.values()) await readAllNotifications(past.at(step.at), reader);
      if ('route' in step) await executeWithRoute(past.at(step.at), actor, step, state);
      else await execute(past.at(step.at), actor, step, state);
      await past.runJobs(step.at);
    }
    for (const { driver, ...shift } of planShifts(ctx.now()))
      await createShift(past.at(ctx.now()), admin, { driverId: actorOf(actors, driver).id, ...shift });
  });
  return password;
}

function actorOf(actors: Map<Person, Actor>, person: Person): Actor {
  const actor = actors.get(person);
  if (!actor) throw new Error(`nobody is ${person}`);
  return actor;
}

/**
 * Creates contexts with a clock at any moment in the past, inside an open transaction. Jobs that services enqueue are collected and
 * run at that moment by `runJobs`, so that the queue stays empty.
 */
function timeTravelContext(ctx: Ctx, tx: Tx) {
  const due: { id: string; job: JobName; payload: object }[] = [];
  const inside: Tx = {
    ...tx,
    enqueue: async (jobs) =>
      void due.push(...jobs.map(({ name, payload, id = uuid() }) => ({ id, job: name as JobName, payload }))),
  };
  const db: Db = {
    connections: 1,
    query: tx.query,
    transaction: (work) => work(inside),
    snapshot: (read) => read(tx),
  };
  const at = (moment: Date): Ctx => ({ ...ctx, db, now: () => moment, rateLimits: unlimited });
  return {
    at,
    async runJobs(moment: Date): Promise<void> {
      const work = jobs(at(moment));
      for (const { id, job, payload } of due.splice(0)) await work[job]([{ id, payload, attempt: 1, isLast: false }]);
    },
  };
}

const asActor = (user: User): Actor => ({
  id: user.id,
  role: user.role,
  status: user.status,
  permissions: user.permissionsInForce,
  gained: [],
  openedWith: null,
  mustChangePassword: false,
  mustSetUpSecondFactor: false,
  sessionId: user.id,
});

interface SeedState {
  actors: Map<Person, Actor>;
  /** Ids of the packages created so far, by `parcel`. */
  packageIds: Map<number, string>;
  routes: PlannedRoute[];
  /** Ids of the routes planned so far, by their index. */
  routeIds: Map<number, string>;
  depotIds: string[];
  imageMaker: ImageMaker;
}

/** The first depot is the one of the first start. */
async function makeDepots(ctx: Ctx, admin: Actor, timeZone: string): Promise<string[]> {
  const [first] = await listDepots(ctx);
  const ids: string[] = [];
  for (const [index, depot] of depots.entries()) {
    const input = { ...depot, timeZone };
    const { id } =
      index === 0 && first
        ? await updateDepot(ctx, admin, first.id, input, null)
        : await createDepot(ctx, admin, input);
    ids.push(id);
  }
  return ids;
}

async function executeWithRoute(
  ctx: Ctx,
  actor: Actor,
  step: RouteStep,
  { actors, packageIds, routes, routeIds, depotIds }: SeedState,
): Promise<void> {
  const route = routes[step.route];
  const depotId = depotIds[route?.depot ?? 0];
  const id = routeIds.get(step.route) ?? '';
  if (!route || !depotId) throw new Error(`there is no route ${step.route}`);
  if (step.do === 'startRoute') await startRoute(ctx, actor, id, null);
  else if (step.do === 'finishRoute') await finishRoute(ctx, actor, id, null);
  else {
    const driverId = route.driver && actorOf(actors, route.driver).id;
    const made = await createRoute(ctx, actor, {
      day: route.day,
      depotId,
      driverId,
      startsAt: route.startsAt.toISOString(),
      confirm: true,
    });
    routeIds.set(step.route, made.id);
    const ids = step.parcels.map((parcel) => packageIds.get(parcel) ?? '');
    const { refused } = await addStops(ctx, actor, made.id, ids);
    if (refused.length > 0) throw new Error(`not planned: ${JSON.stringify(refused)}`);
  }
}

async function execute(ctx: Ctx, actor: Actor, step: Step, { packageIds, imageMaker }: SeedState): Promise<void> {
  if (step.do === 'create') {
    const { id } = await imageMaker.withImages(ctx, actor, step.pictures, 'packages', (images) =>
      createPackage(ctx, actor, { ...step.input, images: images.filter((image) => image !== undefined) }),
    );
    packageIds.set(step.parcel, id);
    return;
  }
  const id = packageIds.get(step.parcel) ?? '';
  switch (step.do) {
    case 'start':
      await startDelivery(ctx, actor, id);
      break;
    case 'next':
      await markNext(ctx, actor, id);
      break;
    case 'arrive':
      await arriveAt(ctx, actor, id, null);
      break;
    case 'sendBack':
      await chooseNextStep(ctx, actor, id, { kind: 'return' });
      break;
    case 'complete':
      await imageMaker.withImages(ctx, actor, [step.photo, step.signature], 'proofs', ([photo, signature]) =>
        completeDelivery(ctx, actor, id, { ...step.proof, photo, signature }),
      );
      break;
    case 'fail':
      await failDelivery(ctx, actor, id, {
        reason: step.reason,
        location: step.location,
        cardLeft: step.cardLeft ?? false,
      });
      break;
    case 'cancel':
      await updatePackage(ctx, actor, id, { status: 'cancelled' }, null);
      break;
    case 'remove':
      await updatePackage(ctx, actor, id, { status: 'inactive' }, null);
      break;
    case 'rate':
      await ratePackage(ctx, actor, id, step.rating);
      break;
    case 'report': {
      const report = actor.role === 'driver' ? reportOnDelivery : reportOnPackage;
      const { issue, type } = step;
      await imageMaker.withImages(ctx, actor, [step.photo], 'incidents', ([photo]): Promise<unknown> =>
        report(ctx, actor, id, { issue, type, photo }),
      );
      break;
    }
    case 'investigate':
    case 'resolve': {
      const { items } = await listAccessibleIncidents(ctx, actor, { limit: 200, count: false });
      const incident = items.find((item) => item.packageId === id);
      if (!incident) throw new Error(`nothing was reported on ${id}`);
      const status = step.do === 'resolve' ? 'Resolved' : 'Investigating';
      await moveIncident(ctx, actor, incident.id, { status, note: step.note });
    }
  }
}

/** Returns the first of the last `count` steps that notify this owner. */
function firstUnreadStep(plan: (Step | RouteStep)[], owner: Person, count: number): Step | undefined {
  const steps = plan.filter((step): step is Step => !('route' in step));
  const own = new Set(steps.filter((step) => step.do === 'create' && step.by === owner).map(({ parcel }) => parcel));
  return steps.filter((step) => own.has(step.parcel) && step.do !== 'create' && step.do !== 'rate').at(-count);
}
