import { shiftLimits, type Shift } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  untilWaiting,
  watch,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let admin: TestUser;
let driver: TestUser;
/** A Wednesday. */
let time = new Date('2026-06-10T09:00:00.000Z');

beforeAll(async () => {
  product = await openTestProduct({ now: () => time });
  admin = await product.register('admin');
  driver = await product.register('driver', 'Dana Driver');
});
afterAll(() => product.close());

const plan = (startsAt: string, endsAt: string, who = driver, note?: string) =>
  admin.api.shifts.create({ body: { driverId: who.id, startsAt, endsAt, note } });
const list = async (query: Record<string, string | number | boolean> = {}) =>
  (await admin.api.shifts.list({ query })).items;
const times = (shifts: Pick<Shift, 'startsAt' | 'endsAt'>[]) =>
  shifts.map(({ startsAt, endsAt }) => [startsAt, endsAt]);
const dutyOf = async (who: TestUser) =>
  (await admin.api.shifts.drivers({ query: { limit: 200 } })).items.find(({ id }) => id === who.id);

test('a shift is stored, and its driver is on duty from its start until its end', async () => {
  const made = await plan('2026-06-10T10:00:00+02:00', '2026-06-10T14:30:00Z', driver, ' Bring the van ');
  expect(made).toEqual({
    id: made.id,
    driverId: driver.id,
    driver: 'Dana Driver',
    driverActive: true,
    startsAt: '2026-06-10T08:00:00.000Z',
    endsAt: '2026-06-10T14:30:00.000Z',
    note: 'Bring the van',
    onDuty: true,
    absence: null,
    version: 1,
  });
  const later = await plan('2026-06-10T14:30:00Z', '2026-06-10T16:00:00Z');
  for (const [at, until, next] of [
    ['2026-06-10T07:59:59.999Z', null, '2026-06-10T08:00:00.000Z'],
    ['2026-06-10T08:00:00.000Z', '2026-06-10T14:30:00.000Z', '2026-06-10T14:30:00.000Z'],
    ['2026-06-10T14:29:59.999Z', '2026-06-10T14:30:00.000Z', '2026-06-10T14:30:00.000Z'],
    ['2026-06-10T14:30:00.000Z', '2026-06-10T16:00:00.000Z', null],
    ['2026-06-10T16:00:00.000Z', null, null],
  ] as const) {
    time = new Date(at);
    expect([at, await dutyOf(driver)]).toMatchObject([at, { onDuty: until !== null, until, next }]);
    const own = (await driver.api.shifts.mine({ query: { limit: 1 } })).items[0];
    expect([at, own?.onDuty ?? false]).toEqual([at, until !== null]);
    // The first of a driver's own shifts is the running one, or else the next one.
    expect([at, own?.startsAt ?? null]).toEqual([
      at,
      at < '2026-06-10T14:30' && until ? made.startsAt : until ? later.startsAt : next,
    ]);
  }
  time = new Date('2026-06-10T09:00:00.000Z');
});

test('a list has the shifts that overlap with its period, soonest first, in pages of any size', async () => {
  const night = await plan('2026-06-14T22:00:00Z', '2026-06-15T06:00:00Z');
  const day = await plan('2026-06-16T08:00:00Z', '2026-06-16T16:00:00Z');
  const other = await product.register('driver', 'Otto Other');
  const same = await plan('2026-06-16T08:00:00Z', '2026-06-16T10:00:00Z', other);
  const monday = { from: '2026-06-15T00:00:00Z', to: '2026-06-22T00:00:00Z' };
  const ids = (shifts: Shift[]) => shifts.map(({ id }) => id);
  const week = await admin.api.shifts.list({ query: { ...monday, count: true } });
  expect(week.total).toBe(3);
  expect(ids(week.items)).toEqual([night.id, ...[day.id, same.id].toSorted()]);
  const paged: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await admin.api.shifts.list({ query: { ...monday, limit: 1, cursor } });
    paged.push(...ids(page.items));
    if (!page.next) break;
    cursor = page.next;
  }
  expect(paged).toEqual(ids(week.items));
  expect(ids(await list({ ...monday, from: '2026-06-15T06:00:00Z' }))).not.toContain(night.id);
  expect(ids(await list({ from: '2026-06-08T00:00:00Z', to: '2026-06-14T22:00:00Z' }))).not.toContain(night.id);
  expect(ids((await driver.api.shifts.mine({ query: monday })).items)).toEqual([night.id, day.id]);
  expect(await driver.api.shifts.list({}).catch((error: unknown) => error)).toMatchObject({ status: 403 });
});

/**
 * Sends calls that change the schedule of a driver, which have to wait for whoever does so already; expects that one of them succeeds.
 * @returns the errors of the others
 */
async function errorsOfAllButOne(who: TestUser, calls: (() => Promise<unknown>)[]): Promise<unknown[]> {
  const { outcomes } = await product.ctx.db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('waybill schedule ' || $1, 0))`, [who.id]);
    const begun = calls.map((call) => call());
    await untilWaiting(tx, calls.length);
    return { outcomes: Promise.allSettled(begun) };
  });
  const errors = (await outcomes).flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(errors).toHaveLength(calls.length - 1);
  return errors;
}

test('two shifts of one driver never overlap, even under concurrent requests; they may adjoin', async () => {
  const busy = await product.register('driver', 'Bea Busy');
  const tries = Array.from(
    { length: 8 },
    (_, minutes) => () => plan(`2026-07-01T08:0${minutes}:00Z`, '2026-07-01T12:00:00Z', busy),
  );
  for (const error of await errorsOfAllButOne(busy, tries))
    expect(error).toMatchObject({
      status: 409,
      code: 'conflict',
      message: 'This driver already has a shift at that time',
      fields: { startsAt: 'This driver already has a shift at that time' },
    });
  const after = await plan('2026-07-01T12:00:00Z', '2026-07-01T14:00:00Z', busy);
  const body = { driverId: busy.id, startsAt: '2026-07-01T11:59:00Z', endsAt: '2026-07-01T13:00:00Z' };
  await expect(admin.api.shifts.update({ params: { id: after.id }, body })).rejects.toMatchObject({ status: 409 });
  expect(await list({ from: '2026-07-01T12:30:00Z', to: '2026-07-01T13:00:00Z' })).toEqual([after]);
});

test.each([
  ['2026-08-01T08:00:00Z', '2026-08-01T08:00:00Z', 'endsAt', 'The shift must end after it starts'],
  ['2026-08-01T08:00:00Z', '2026-08-01T08:14:59Z', 'endsAt', 'A shift must be at least 15 minutes'],
  ['2026-08-01T08:00:00Z', '2026-08-02T00:00:01Z', 'endsAt', 'A shift can be at most 16 hours'],
  ['1999-12-31T08:00:00Z', '1999-12-31T10:00:00Z', 'startsAt', 'A shift must start between 2000 and 2100'],
])('from %s to %s is no shift', async (startsAt, endsAt, field, message) => {
  await expect(plan(startsAt, endsAt)).rejects.toMatchObject({ status: 422, fields: { [field]: message } });
});

test('the longest and the shortest allowed shift are accepted, and worked from their first to their last moment', async () => {
  const hours = String(shiftLimits.maxHours);
  const longest = await plan('2026-08-03T00:00:00Z', `2026-08-03T${hours}:00:00Z`);
  const shortest = await plan(`2026-08-03T${hours}:00:00Z`, `2026-08-03T${hours}:15:00Z`);
  const last = (shift: Shift) => new Date(Date.parse(shift.endsAt) - 1);
  const before = time;
  for (const [at, until] of [
    [new Date(longest.startsAt), longest.endsAt],
    [last(longest), longest.endsAt],
    [new Date(shortest.startsAt), shortest.endsAt],
    [last(shortest), shortest.endsAt],
    [new Date(shortest.endsAt), null],
  ] as const) {
    time = at;
    expect([at, await dutyOf(driver)]).toMatchObject([at, { until }]);
  }
  time = before;
});

test('a stale version is refused and nothing is lost; a repeated Idempotency-Key creates one shift', async () => {
  const body = { driverId: driver.id, startsAt: '2026-09-01T08:00:00Z', endsAt: '2026-09-01T12:00:00Z' };
  const [first, again] = [
    await admin.api.shifts.create({ body, idempotencyKey: 'one-shift' }),
    await admin.api.shifts.create({ body, idempotencyKey: 'one-shift' }),
  ];
  expect(again).toEqual(first);
  const params = { id: first.id };
  const longer = await admin.api.shifts.update({
    params,
    body: { ...body, endsAt: '2026-09-01T13:00:00Z', version: first.version },
  });
  expect(longer).toMatchObject({ endsAt: '2026-09-01T13:00:00.000Z', version: 2 });
  await expect(
    admin.api.shifts.update({ params, body: { ...body, note: 'Mine', version: first.version } }),
  ).rejects.toMatchObject({ status: 409, code: 'stale' });
  await expect(
    admin.api.shifts.update({ params, body: { ...body, note: 'Mine' }, headers: { 'if-match': '"1"' } }),
  ).rejects.toMatchObject({ status: 412, code: 'precondition_failed' });
  expect(await list({ from: '2026-09-01T00:00:00Z', to: '2026-09-02T00:00:00Z' })).toEqual([longer]);
  await admin.api.shifts.remove({ params });
  await expect(admin.api.shifts.remove({ params })).rejects.toMatchObject({ status: 404 });
  await expect(admin.api.shifts.update({ params, body })).rejects.toMatchObject({ status: 404 });
});

test('a week is copied at the same local times, also over a clock change; overlapping shifts are reported', async () => {
  const zone = 'Europe/Berlin';
  const [early, late] = [await product.register('driver', 'Eva Early'), await product.register('driver', 'Lars Late')];
  // The week before the night in which the clocks go from 02:00 to 03:00.
  await plan('2026-03-23T07:00:00Z', '2026-03-23T15:00:00Z', early);
  await plan('2026-03-28T21:00:00Z', '2026-03-29T05:00:00Z', early);
  await plan('2026-03-24T21:00:00Z', '2026-03-25T05:00:00Z', late);
  await plan('2026-03-31T20:30:00Z', '2026-03-31T21:30:00Z', late);
  // Starts before the week, so it belongs to the previous one.
  await plan('2026-03-22T21:00:00Z', '2026-03-23T05:00:00Z', late);
  const copy = () => admin.api.shifts.copyWeek({ body: { week: '2026-03-23', zone } });
  expect(await copy()).toEqual({
    copied: 2,
    skipped: [
      {
        driverId: late.id,
        driver: 'Lars Late',
        startsAt: '2026-03-31T20:00:00.000Z',
        endsAt: '2026-04-01T04:00:00.000Z',
        reason: 'overlap',
      },
    ],
  });
  const next = (await list({ from: '2026-03-29T22:00:00Z', to: '2026-04-05T22:00:00Z' })).filter(
    ({ driverId }) => driverId === early.id,
  );
  // 08:00 to 16:00 and 22:00 to 07:00 local time in both weeks; in the first one the night was an hour shorter.
  expect(times(next)).toEqual([
    ['2026-03-30T06:00:00.000Z', '2026-03-30T14:00:00.000Z'],
    ['2026-04-04T20:00:00.000Z', '2026-04-05T05:00:00.000Z'],
  ]);
  // A second copy creates no duplicates.
  expect(await copy()).toMatchObject({ copied: 0, skipped: [{}, {}, {}] });
});

test('a copy over a clock change keeps its length if it would become invalid or too long', async () => {
  const zone = 'America/New_York';
  const odd = await product.register('driver', 'Nils Night');
  // 02:40 to 03:10 on the Sunday before the clocks skip from 02:00 to 03:00; and 16 hours, copied to the day when an hour is repeated.
  await plan('2027-03-07T07:40:00Z', '2027-03-07T08:10:00Z', odd);
  await plan('2027-10-31T02:00:00Z', '2027-10-31T18:00:00Z', odd);
  await admin.api.shifts.copyWeek({ body: { week: '2027-03-01', zone } });
  await admin.api.shifts.copyWeek({ body: { week: '2027-10-25', zone } });
  expect(times(await list({ from: '2027-03-14T00:00:00Z', to: '2027-03-15T00:00:00Z' }))).toEqual([
    ['2027-03-14T07:40:00.000Z', '2027-03-14T08:10:00.000Z'],
  ]);
  expect(times(await list({ from: '2027-11-06T20:00:00Z', to: '2027-11-08T00:00:00Z' }))).toEqual([
    ['2027-11-07T02:00:00.000Z', '2027-11-07T18:00:00.000Z'],
  ]);
});

test('a suspended driver is not on duty, keeps existing shifts and gets no new ones', async () => {
  const barred = await product.register('driver', 'Sven Suspended');
  const shift = await plan('2026-06-10T08:00:00Z', '2026-06-10T16:00:00Z', barred);
  expect(await dutyOf(barred)).toMatchObject({ onDuty: true });
  await admin.api.users.update({ params: { id: barred.id }, body: { status: 'suspended' } });
  expect(await dutyOf(barred)).toMatchObject({ status: 'suspended', onDuty: false, until: null, next: null });
  const kept = (await list()).find(({ id }) => id === shift.id);
  expect(kept).toMatchObject({ driver: 'Sven Suspended', driverActive: false, onDuty: false });
  await expect(plan('2026-06-11T08:00:00Z', '2026-06-11T16:00:00Z', barred)).rejects.toMatchObject({
    status: 422,
    fields: { driverId: 'This is not an active driver' },
  });
  expect((await admin.api.shifts.copyWeek({ body: { week: '2026-06-08', zone: 'UTC' } })).skipped).toContainEqual(
    expect.objectContaining({ driverId: barred.id, reason: 'not active' }),
  );
  await expect(plan('2026-06-11T08:00:00Z', '2026-06-11T16:00:00Z', admin)).rejects.toMatchObject({ status: 422 });
  // Existing shifts can still be shortened.
  const body = { driverId: barred.id, startsAt: shift.startsAt, endsAt: '2026-06-10T12:00:00Z' };
  expect(await admin.api.shifts.update({ params: { id: shift.id }, body })).toMatchObject({ version: 2 });
});

test('deleting a driver deletes planned shifts; past ones stay, without the name', async () => {
  const leaving = await product.register('driver', 'Lea Leaving');
  const worked = await plan('2026-05-01T08:00:00Z', '2026-05-01T16:00:00Z', leaving);
  const running = await plan('2026-06-10T08:00:00Z', '2026-06-10T16:00:00Z', leaving, 'Lea has the key');
  await plan('2026-06-20T08:00:00Z', '2026-06-20T16:00:00Z', leaving);
  await admin.api.users.remove({ params: { id: leaving.id } });
  const left = async () =>
    (await list({ from: '2026-05-01T00:00:00Z', limit: 200 })).filter(({ driverId }) => driverId === leaving.id);
  await eventually('the planned shift is gone', async () => (await left()).length === 2);
  expect(await left()).toEqual([
    { ...worked, driver: null, driverActive: false },
    {
      ...running,
      driver: null,
      driverActive: false,
      onDuty: false,
      endsAt: time.toISOString(),
      note: null,
      version: 2,
    },
  ]);
  expect(await dutyOf(leaving)).toBeUndefined();
});

test('drivers are listed with those on duty first, or by name, in pages, with the number of packages they carry', async () => {
  const pkg = await createPackage(await product.register('owner'));
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  expect(await dutyOf(driver)).toMatchObject({ onDuty: true, stops: 1 });
  const names = async (query: Record<string, string | number>) => {
    const all: { name: string; onDuty: boolean }[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await admin.api.shifts.drivers({ query: { ...query, cursor } });
      all.push(...page.items);
      if (!page.next) return all;
      cursor = page.next;
    }
  };
  const whole = await names({ limit: 200 });
  expect(whole.map(({ onDuty }) => onDuty)).toEqual(
    whole.map(({ onDuty }) => onDuty).toSorted((a, b) => Number(b) - Number(a)),
  );
  expect(whole[0]).toMatchObject({ onDuty: true });
  expect(whole.at(-1)).toMatchObject({ onDuty: false });
  expect(await names({ limit: 1 })).toEqual(whole);
  const byName = await names({ order: 'name', limit: 2 });
  expect(byName.map(({ name }) => name)).toEqual(whole.map(({ name }) => name).toSorted());
  expect(await names({ q: 'DANA' })).toMatchObject([{ name: 'Dana Driver' }]);
  expect(await names({ status: 'suspended' })).toMatchObject([{ name: 'Sven Suspended' }]);
});

test('created, changed and deleted shifts are audited, without the note', async () => {
  const shift = await plan('2026-10-01T08:00:00Z', '2026-10-01T12:00:00Z', driver, 'Ask Mrs Berg');
  const params = { id: shift.id };
  const body = { driverId: driver.id, startsAt: '2026-10-01T09:00:00Z', endsAt: '2026-10-01T12:00:00Z' };
  await admin.api.shifts.update({ params, body });
  await admin.api.shifts.remove({ params });
  const { items } = await admin.api.audit.list({ query: { subject: driver.id, limit: 3 } });
  const fact = { id: shift.id, driverId: driver.id, startsAt: shift.startsAt, endsAt: shift.endsAt };
  const moved = { ...fact, startsAt: '2026-10-01T09:00:00.000Z' };
  expect(items.map(({ act, actorId, details }) => [act, actorId, details])).toEqual([
    ['shift.deleted', admin.id, { shift: [moved, null] }],
    ['shift.changed', admin.id, { shift: [fact, moved] }],
    ['shift.created', admin.id, { shift: [null, fact] }],
  ]);
  const [copied] = (await admin.api.audit.list({ query: { act: 'shifts.copied' } })).items;
  expect(copied).toMatchObject({ actorId: admin.id, details: { week: ['2026-06-08', null] } });
});

test('changes invalidate the screens of the driver and of those who plan, and no others', async () => {
  const [bystander, owner] = [await product.register('driver'), await product.register('owner')];
  const streams = await Promise.all(
    [admin, driver, bystander, owner].map(({ token }) => watch(product, '/live', token)),
  );
  const isInvalidated = (index: number) => JSON.stringify(streams[index]?.events ?? []).includes('"shift"');
  await plan('2026-11-02T08:00:00Z', '2026-11-02T12:00:00Z');
  await eventually('both are invalidated', () => isInvalidated(0) && isInvalidated(1));
  expect([isInvalidated(2), isInvalidated(3)]).toEqual([false, false]);
  await admin.api.shifts.copyWeek({ body: { week: '2026-11-02', zone: 'UTC' } });
  await eventually('a copied week invalidates every driver’s screen', () => isInvalidated(2));
  expect(isInvalidated(3)).toBe(false);
  for (const stream of streams) stream.stop();
});

test('an absence stands in the schedule: its shifts are not worked, and work is given in it only when that is confirmed', async () => {
  time = new Date('2026-07-06T09:00:00.000Z');
  const ill = await product.register('driver', 'Ida Ill');
  const today = await plan('2026-07-06T08:00:00Z', '2026-07-06T16:00:00Z', ill);
  const back = await plan('2026-07-09T08:00:00Z', '2026-07-09T16:00:00Z', ill);
  expect(await dutyOf(ill)).toMatchObject({ onDuty: true, absence: null });
  const [depot] = await admin.api.depots.list();
  const depotId = depot?.id ?? '';
  const onRoute = { day: '2026-07-07', depotId, driverId: ill.id };
  const planRoute = (more: object = {}) => admin.api.routes.create({ body: { ...onRoute, ...more } });
  const route = await planRoute({ confirm: true });
  const pkg = await createPackage(admin);
  await admin.api.routes.addStops({ params: { id: route.id }, body: { packageIds: [pkg.id] } });

  // The driver enters it, who sees what is to be given to others.
  const sick = await ill.api.absences.report({
    body: { kind: 'sick', from: '2026-07-06', to: '2026-07-07', note: ' Flu ' },
  });
  expect(sick).toMatchObject({
    driverId: ill.id,
    driver: 'Ida Ill',
    kind: 'sick',
    from: '2026-07-06',
    to: '2026-07-07',
    note: 'Flu',
    version: 1,
    routes: [{ id: route.id, day: '2026-07-07', depotId, state: 'planned', stops: 1 }],
  });
  // Dispatchers are told without the name, and find whose stops need somebody else.
  const told = async () => (await admin.api.notifications.list({ query: { limit: 200 } })).items.filter(isAbsence);
  const isAbsence = ({ type }: { type: string }) => type === 'absence.reported';
  await eventually('dispatchers are told', async () => (await told()).length > 0);
  expect(await told()).toMatchObject([{ title: 'A driver is away, with stops', readAt: null }]);
  expect(JSON.stringify(await told())).not.toMatch(/Ida|Flu|sick/);
  expect((await ill.api.notifications.list({ query: {} })).items.filter(isAbsence)).toEqual([]);
  expect((await admin.api.stats.needs()).absent).toEqual({
    count: 1,
    isCapped: false,
    soonest: [{ driverId: ill.id, driver: 'Ida Ill', day: '2026-07-07', depotId, stops: 1 }],
  });
  const body = { driverId: ill.id, kind: 'holiday', from: '2026-07-08', to: '2026-07-08' } as const;
  const holiday = await admin.api.absences.create({ body });
  expect(holiday.routes).toEqual([]);
  const again = admin.api.absences.create({ body: { ...body, from: '2026-07-07' } });
  await expect(again).rejects.toMatchObject({ status: 409, code: 'conflict' });

  expect(await dutyOf(ill)).toMatchObject({
    onDuty: false,
    until: null,
    next: back.startsAt,
    absence: { kind: 'sick', to: '2026-07-07' },
  });
  const week = (await ill.api.shifts.mine({ query: { from: '2026-07-06T00:00:00Z' } })).items;
  expect(week.map(({ id, absence, onDuty }) => [id, absence, onDuty])).toEqual([
    [today.id, 'sick', false],
    [back.id, null, false],
  ]);
  const refused = {
    status: 409,
    code: 'off_duty',
    message: 'This driver is sick on 2026-07-07. They are back on 2026-07-09.',
  };
  await expect(planRoute()).rejects.toMatchObject(refused);
  await expect(planRoute({ day: '2026-07-08' })).rejects.toMatchObject({
    message: 'This driver is on holiday on 2026-07-08. They are back on 2026-07-09.',
  });
  const other = await createPackage(admin);
  const assign = (confirm?: boolean) =>
    admin.api.deliveries.assign({ params: { id: other.id }, body: { driverId: ill.id, confirm } });
  await expect(assign()).rejects.toMatchObject({ code: 'off_duty' });
  expect(await assign(true)).toMatchObject({ driverId: ill.id });
  expect(await planRoute({ day: '2026-07-09' })).toMatchObject({ driverId: ill.id });

  // In the schedule of a week, in pages of any size.
  const of = { from: '2026-07-06', to: '2026-07-12', limit: 1 };
  const first = await admin.api.absences.list({ query: { ...of, count: true } });
  const second = await admin.api.absences.list({ query: { ...of, cursor: first.next ?? '' } });
  expect([first.total, ...[...first.items, ...second.items].map(({ id }) => id)]).toEqual([2, sick.id, holiday.id]);
  expect((await driver.api.absences.mine()).items).toEqual([]);

  // Foreign ones are not found. Whoever is back early shortens or deletes theirs.
  const change = { kind: 'sick', from: '2026-07-06', to: '2026-07-06', version: 1 } as const;
  const params = { id: sick.id };
  await expect(driver.api.absences.update({ params, body: change })).rejects.toMatchObject({ status: 404 });
  await expect(driver.api.absences.remove({ params })).rejects.toMatchObject({ status: 404 });
  expect(await ill.api.absences.update({ params, body: change })).toMatchObject({ to: '2026-07-06', version: 2 });
  await expect(admin.api.absences.update({ params, body: change })).rejects.toMatchObject({ code: 'stale' });
  expect((await admin.api.stats.needs()).absent?.soonest).toEqual([]);
  await ill.api.absences.remove({ params });
  expect(await dutyOf(ill)).toMatchObject({ onDuty: true, absence: null });
  expect(await planRoute({ day: '2026-07-06' })).toMatchObject({ driverId: ill.id });
  const audited = (await admin.api.audit.list({ query: { limit: 200 } })).items.filter(({ act }) =>
    act.startsWith('absence.'),
  );
  expect(audited.map(({ act }) => act).toSorted()).toEqual([
    'absence.changed',
    'absence.created',
    'absence.created',
    'absence.deleted',
  ]);
  expect(JSON.stringify(audited)).not.toMatch(/sick|Flu/);

  // Nothing of it outlives the account.
  await admin.api.users.remove({ params: { id: ill.id }, body: { deliveries: 'release' } });
  await eventually('the absences are deleted', async () => {
    const left = (await admin.api.absences.list({ query: { from: '2026-07-01' } })).items;
    return left.every(({ driverId }) => driverId !== ill.id);
  });
  time = new Date('2026-06-10T09:00:00.000Z');
});

test('two absences of one driver never overlap, even under concurrent requests', async () => {
  const away = await product.register('driver', 'Ava Away');
  const tries = Array.from(
    { length: 8 },
    (_, days) => () =>
      admin.api.absences.create({
        body: { driverId: away.id, kind: 'holiday', from: `2027-07-0${days + 1}`, to: '2027-07-08' },
      }),
  );
  for (const error of await errorsOfAllButOne(away, tries))
    expect(error).toMatchObject({ status: 409, code: 'conflict' });
});
