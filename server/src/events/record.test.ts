import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createPackage, openTestProduct, type TestProduct } from '../testing/test-product.ts';
import type { AnyEvent, PackageEvent } from './event-types.ts';
import { recordAll } from './record.ts';

let product: TestProduct;
let owner: string;
let driver: string;
let packages: string[];
beforeAll(async () => {
  product = await openTestProduct({ runsJobs: false });
  const user = await product.register('owner');
  owner = user.id;
  driver = (await product.register('driver')).id;
  packages = [];
  for (let count = 0; count < 4; count++) packages.push((await createPackage(user)).id);
});
afterAll(() => product.close());

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second));

/** Events of each kind that figures count, some at the same time, and one that is audited. */
function mixedEvents(): AnyEvent[] {
  const event = (type: PackageEvent['type'], pkg: number, second: number, more: object = {}): PackageEvent => ({
    type,
    at: at(second),
    actorId: driver,
    packageId: packages[pkg] ?? '',
    status: 'in transit',
    location: null,
    ownerId: owner,
    driverId: driver,
    ...more,
  });
  const attempt = { number: 1, startedAt: at(0), endedAt: at(4), dueAt: at(60) };
  return [
    event('delivery.started', 0, 1),
    event('delivery.started', 1, 1),
    event('delivery.next', 0, 2),
    event('delivery.assigned', 1, 3, { previousDriverId: owner }),
    event('delivery.completed', 0, 4, { attempt, status: 'delivered' }),
    event('delivery.failed', 1, 5, { attempt: { ...attempt, number: 2, endedAt: at(5) }, note: 'Nobody at home' }),
    { type: 'user.changed', at: at(6), actorId: owner, userId: driver, changes: { status: ['inactive', 'active'] } },
    event('package.rated', 0, 7, { stars: 4 }),
    event('package.cancelled', 2, 8, { status: 'cancelled' }),
    { type: 'notification.read', at: at(9), actorId: owner, userId: owner },
  ];
}

/** Returns and removes everything that the events left behind, without the ids that differ. */
async function takeStored() {
  const select = <Row extends object>(sql: string) => product.ctx.db.query<Row>(sql);
  const sums = [
    'created',
    'started',
    'withdrawn',
    'deleted',
    'completed',
    'failed',
    'first_attempts',
    'first_completed',
  ];
  sums.push('delivery_ms', 'completed_before', 'issues_opened', 'issues_resolved', 'ratings', 'stars');
  const stored = {
    packageEvents: await select(
      `select type, at, actor_id, package_id, status, location, note, owner_id, driver_id, previous_driver_id, changes, shown
       from package_events order by id`,
    ),
    accountEvents: await select(`select type, at, actor_id, user_id, changes from account_events order by id`),
    outbox: await select(
      `select type, package_id, owner_id, driver_id, previous_driver_id, user_id, event_id is null as is_signal from outbox order by id`,
    ),
    figures: await select(
      `select at, ${sums.map((name) => `sum(${name}) as ${name}`).join(', ')} from figure_changes group by at order by at`,
    ),
    jobs: await select(
      `select j.name, e.type, e.package_id from jobs.job j join package_events e on e.id = (j.data->>'eventId')::bigint order by j.id`,
    ),
    deliveries: await select(
      `select d.job, d.type, d.at, d.package_id, d.user_id, d.state from notification_deliveries d join jobs.job j on j.id = d.id
       order by d.id`,
    ),
    audit: await select("select act, actor_id, subject_id, details from audit where act = 'user.changed' order by id"),
  };
  await product.ctx.db.query(
    'truncate figure_changes, notification_deliveries, jobs.job, package_events, account_events, outbox',
  );
  return stored;
}

test('events recorded together leave what they leave one by one, in the same order', async () => {
  await takeStored();
  await product.ctx.db.transaction(async (tx) => {
    for (const event of mixedEvents()) await recordAll(tx, [event]);
  });
  const { audit: auditedAlone, ...apart } = await takeStored();
  await product.ctx.db.transaction((tx) => recordAll(tx, mixedEvents()));
  const { audit: audited, ...together } = await takeStored();
  expect(together).toEqual(apart);
  expect(together.packageEvents.length).toBe(8);
  expect(together.jobs.length).toBeGreaterThan(4);
  expect(together.deliveries.length).toBeGreaterThan(4);
  expect(together.figures.length).toBe(5);
  expect(audited).toEqual([...auditedAlone, ...auditedAlone]);
});

test('twenty events take as many statements as one', async () => {
  const [event] = mixedEvents();
  if (!event) throw new Error('no event');
  const insertsFor = async (events: AnyEvent[]) => {
    const sent = vi.spyOn(pg.Client.prototype, 'query');
    await product.ctx.db.transaction((tx) => recordAll(tx, events));
    const texts = sent.mock.calls.map(([config]) => (config as unknown as { text?: string }).text ?? '');
    sent.mockRestore();
    return texts.filter((text) => /^\s*(with|insert)/i.test(text)).length;
  };
  const forOne = await insertsFor([event]);
  await takeStored();
  expect(await insertsFor(Array.from({ length: 20 }, () => event))).toBe(forOne);
  expect(await takeStored()).toMatchObject({ jobs: { length: 20 }, deliveries: { length: 20 } });
});
