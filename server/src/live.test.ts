import { once } from 'node:events';
import { connect } from 'node:net';
import { maxMissedMs, type ApiError, type LiveInvalidation, type Package, type PublicView } from '@waybill/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { countStreams } from './platform/live/sse.ts';
import { runsAll } from './testing/suite.ts';
import {
  createPackage,
  eventually,
  inject,
  openTestProduct,
  password,
  untilJobsDone,
  watch,
  type TestProduct,
  type TestUser,
  type Watcher,
} from './testing/test-product.ts';

/** 12 days in ms: never, for a test. */
const never = 2 ** 30;

let product: TestProduct;
let owner: TestUser;
let otherOwner: TestUser;
let driver: TestUser;
let otherDriver: TestUser;
let admin: TestUser;
beforeAll(async () => {
  // Without the poll, so that every change arrives by a wake-up.
  product = await openTestProduct({ live: { pollMs: never } });
  owner = await product.register('owner');
  otherOwner = await product.register('owner');
  driver = await product.register('driver');
  otherDriver = await product.register('driver');
  admin = await product.register('admin');
});
afterAll(() => product.close());

const watchers: Watcher[] = [];
afterEach(async () => {
  for (const watcher of watchers.splice(0)) watcher.stop();
  await eventually('no stream left', () => countStreams() === 0);
});
const follow = async (path: string, token: string | null = null, at = product): Promise<Watcher> => {
  const watcher = await watch(at, path, token);
  watchers.push(watcher);
  return watcher;
};

/**
 * Opens the signed-in stream of a user, and drops what it receives of earlier changes. Retries if it closes at once because of an earlier
 * change of the account.
 */
async function listen(user: { token: string }, at = product): Promise<Watcher> {
  for (;;) {
    // Else the hint awaited below may be that of a notification, with others of earlier changes yet to come.
    await untilJobsDone(product);
    const watcher = await follow('/live', user.token, at);
    await product.api(user.token).notifications.readAll();
    await eventually('a hint or the end', () => watcher.ended() || hints(watcher).includes('notification -'));
    if (watcher.ended()) continue;
    watcher.events.length = 0;
    return watcher;
  }
}
const track = (pkg: Package, at = product) => follow(`/track/${pkg.trackingId}/live`, null, at);

const views = (watcher: Watcher) =>
  watcher.events.filter(({ event }) => event === 'view').map(({ data }) => data as PublicView);
const statuses = (watcher: Watcher) => views(watcher).map(({ status }) => status);
const hints = (watcher: Watcher) =>
  watcher.events
    .filter(({ event }) => event === 'hint')
    .map(({ data }) => `${(data as LiveInvalidation).type} ${(data as LiveInvalidation).id ?? '-'}`);
const start = (pkg: Package, by = driver) => by.api.deliveries.start({ params: { id: pkg.id } });

/** Causes a hint on every stream of the user and waits for it: all earlier hints have arrived then, those of background jobs too. */
async function flushHints(user: TestUser, watcher: Watcher): Promise<void> {
  await untilJobsDone(product);
  const before = hints(watcher).length;
  await user.api.notifications.readAll();
  await eventually('the last hint', () => hints(watcher).slice(before).includes('notification -'));
}

describe('the public stream', () => {
  test('sends the whole view on connect and on every change, equal to the reply of the lookup', async () => {
    const pkg = await createPackage(owner);
    const watcher = await track(pkg);
    expect(views(watcher)).toEqual([await product.api().tracking.view({ params: { id: pkg.trackingId } })]);
    await start(pkg);
    await eventually('in transit', () => statuses(watcher).at(-1) === 'in transit');
    await driver.api.deliveries.next({ params: { id: pkg.id } });
    await eventually('out for delivery', () => statuses(watcher).at(-1) === 'out for delivery');
    await driver.api.deliveries.complete({ params: { id: pkg.id } });
    await eventually('delivered', () => statuses(watcher).at(-1) === 'delivered');
    expect(views(watcher).at(-1)).toEqual(await product.api().tracking.view({ params: { id: pkg.trackingId } }));
  });

  test('hides the recipient as soon as the owner does', async () => {
    const pkg = await createPackage(owner);
    const watcher = await track(pkg);
    await owner.api.packages.update({ params: { id: pkg.id }, body: { hideRecipient: true } });
    await eventually('the name is gone', () => views(watcher).at(-1)?.recipientName === null);
  });

  test('sends only the changes of its package', async () => {
    const [one, other] = [await createPackage(owner), await createPackage(owner)];
    const watcher = await track(one);
    await start(other);
    await start(one);
    await eventually('in transit', () => statuses(watcher).at(-1) === 'in transit');
    expect(new Set(views(watcher).map(({ trackingId }) => trackingId))).toEqual(new Set([one.trackingId]));
  });

  test('answers an unknown ID like the lookup, and is never cached', async () => {
    const miss = await inject(product.app, '/api/track/PKG-NOTTHERE/live', { method: 'GET' });
    expect(miss.status).toBe(404);
    const response = await fetch(`${await product.listen()}/api/track/${(await createPackage(owner)).trackingId}/live`);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toContain('no-store');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    await response.body?.cancel();
  });

  test('requested with HEAD opens no stream', async () => {
    const pkg = await createPackage(owner);
    const response = await fetch(`${await product.listen()}/api/track/${pkg.trackingId}/live`, { method: 'HEAD' });
    await response.arrayBuffer();
    await eventually('no stream left', () => countStreams() === 0);
  });

  test('is cleaned up if the visitor disconnects while it opens, a hundred times', async () => {
    const pkg = await createPackage(owner);
    const url = await product.listen();
    await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const abort = new AbortController();
        const opened = fetch(`${url}/api/track/${pkg.trackingId}/live`, { signal: abort.signal }).catch(() => null);
        setTimeout(() => abort.abort(), index / 5);
        await (await opened)?.text().catch(() => '');
      }),
    );
    await eventually('no stream left', () => countStreams() === 0);
  });
});

describe('the signed-in stream', () => {
  test('sends users only hints that concern them, and never the content', async () => {
    const listeners: Record<string, [TestUser, Watcher]> = {};
    for (const [name, user] of Object.entries({ owner, otherOwner, driver, otherDriver, admin })) {
      listeners[name] = [user, await listen(user)];
    }
    const pkg = await createPackage(owner, { name: 'Very secret name' });
    await start(pkg);
    await driver.api.incidents.reportOnDelivery({ params: { id: pkg.id }, body: { issue: 'A secret issue' } });
    await driver.api.deliveries.fail({ params: { id: pkg.id }, body: { reason: 'A secret reason' } });
    await eventually('the notifications', async () => (await owner.api.notifications.list()).items.length >= 3);
    for (const [user, watcher] of Object.values(listeners)) await flushHints(user, watcher);
    // Throttled to one per second, so perhaps later than everything else.
    await eventually('the hints of the pending lists', () =>
      ['driver', 'otherDriver', 'admin'].every((name) => {
        const watcher = listeners[name]?.[1];
        return watcher && hints(watcher).includes('deliveries -');
      }),
    );
    const received = Object.fromEntries(
      Object.entries(listeners).map(([name, [, watcher]]) => [name, [...new Set(hints(watcher))].toSorted()]),
    );
    const incident = `incident ${(await driver.api.incidents.list()).items[0]?.id}`;
    expect(received).toEqual({
      owner: [incident, 'notification -', `package ${pkg.id}`],
      otherOwner: ['notification -'],
      driver: ['deliveries -', `delivery ${pkg.id}`, incident, 'notification -'],
      otherDriver: ['deliveries -', 'notification -'],
      admin: ['deliveries -', `delivery ${pkg.id}`, incident, 'notification -', `package ${pkg.id}`, 'sent -'],
    });
    for (const [, watcher] of Object.values(listeners)) expect(JSON.stringify(watcher.events)).not.toMatch(/secret/i);
  });

  test('sends a hint of a reassigned delivery to its former and its new driver', async () => {
    const pkg = await createPackage(owner);
    await start(pkg);
    const [from, to] = [await listen(driver), await listen(otherDriver)];
    await admin.api.deliveries.assign({ params: { id: pkg.id }, body: { driverId: otherDriver.id } });
    await eventually('both hints', () => [from, to].every((watcher) => hints(watcher).includes(`delivery ${pkg.id}`)));
  });

  test('ends when the account is suspended, and cannot be opened again', async () => {
    const user = await product.register('owner');
    const watcher = await listen(user);
    await admin.api.users.update({ params: { id: user.id }, body: { status: 'suspended' } });
    await eventually('the end', watcher.ended);
    expect(watcher.bye()).toBe('not_active');
    await expect(watch(product, '/live', user.token)).rejects.toThrow('403');
  });

  test('ends on logout, only for that session', async () => {
    const user = await product.register('owner');
    const second = await product.api().auth.login({ body: { email: user.email, password } });
    const [leaving, staying] = [await listen(user), await listen(second)];
    await user.api.auth.logout();
    await eventually('the end', leaving.ended);
    expect(leaving.bye()).toBe('session_ended');
    await flushHints({ ...user, api: product.api(second.token) }, staying);
    expect(staying.ended()).toBe(false);
    await expect(watch(product, '/live', user.token)).rejects.toThrow('401');
  });

  test('ends when its session is ended from another device', async () => {
    const user = await product.register('owner');
    const watcher = await listen(user);
    const phone = product.api((await product.api().auth.login({ body: { email: user.email, password } })).token);
    const lost = (await phone.users.sessions()).find(({ current }) => !current);
    await phone.users.endSession({ params: { id: lost?.id ?? '' } });
    await eventually('the end', watcher.ended);
    expect(watcher.bye()).toBe('session_ended');
  });

  test('ends everywhere on a change of password; only the session that made the change can open it again', async () => {
    const user = await product.register('owner');
    const second = await product.api().auth.login({ body: { email: user.email, password } });
    const [here, there] = [await listen(user), await listen(second)];
    await user.api.users.changePassword({ body: { currentPassword: password, newPassword: 'a new secret' } });
    await eventually('both ends', () => here.ended() && there.ended());
    expect(there.bye()).toBe('session_ended');
    await expect(watch(product, '/live', second.token)).rejects.toThrow('401');
    await listen(user);
  });

  test('ends when the role of the account changes, and reconnects with the new permissions', async () => {
    const user = await product.register('owner');
    const before = await listen(user);
    await admin.api.users.update({ params: { id: user.id }, body: { role: 'driver' } });
    await eventually('the end', before.ended);
    expect(before.bye()).toBe('drain');
    const { token } = await product.api().auth.login({ body: { email: user.email, password } });
    const after = await listen({ ...user, token });
    await createPackage(owner);
    await eventually('a driver’s hint', () => hints(after).includes('deliveries -'));
  });
});

describe('wake-ups and the poll, each on its own', () => {
  test('changes arrive with the poll alone', async () => {
    const pollOnly = await openTestProduct({ beside: product, live: { pollMs: 30, wakeUps: false }, runsJobs: false });
    const pkg = await createPackage(owner);
    const [publicly, signedIn] = [await track(pkg, pollOnly), await listen(owner, pollOnly)];
    await start(pkg);
    await eventually('in transit', () => statuses(publicly).at(-1) === 'in transit');
    await eventually('the hint', () => hints(signedIn).includes(`package ${pkg.id}`));
    await pollOnly.close();
  });

  test('two servers on one database receive each other’s changes and suspensions', async () => {
    const findListener = "pid from pg_stat_activity where datname = current_database() and query like 'listen %'";
    const [listener] = await product.ctx.db.query<{ pid: number }>(`select ${findListener}`);
    const other = await openTestProduct({ beside: product, live: { pollMs: never }, runsJobs: false });
    const [here, there] = [await createPackage(owner), await createPackage(owner)];
    const [atOther, atFirst] = [await track(here, other), await track(there)];
    const user = await product.register('owner');
    const stream = await listen(user, other);
    await start(here);
    await other.api(driver.token).deliveries.start({ params: { id: there.id } });
    await eventually('both', () => [atOther, atFirst].every((watcher) => statuses(watcher).at(-1) === 'in transit'));
    // Also those made while this one had no connection to wake the other with.
    await product.ctx.db.query('select pg_terminate_backend($1)', [listener?.pid]);
    await driver.api.deliveries.next({ params: { id: here.id } });
    await eventually('out for delivery', () => statuses(atOther).at(-1) === 'out for delivery');
    await admin.api.users.update({ params: { id: user.id }, body: { status: 'suspended' } });
    await eventually('the end', stream.ended);
    expect(stream.bye()).toBe('not_active');
    await other.close();
  });

  test('a change between authentication and the opening of the stream closes it immediately', async () => {
    // Gets no events of the other server, so its cache of sessions stays outdated.
    const pollOnly = await openTestProduct({
      beside: product,
      live: { pollMs: 3_600_000, wakeUps: false },
      runsJobs: false,
    });
    const admin = await product.register('admin');
    const change = (body: object) => (user: TestUser) => admin.api.users.update({ params: { id: user.id }, body });
    for (const [happens, reason] of [
      [(user: TestUser) => user.api.auth.logout(), 'session_ended'],
      [change({ status: 'suspended' }), 'not_active'],
      [change({ role: 'driver' }), 'drain'],
    ] as const) {
      const user = await product.register('owner');
      await pollOnly.api(user.token).users.sessions();
      await happens(user);
      const watcher = await watch(pollOnly, '/live', user.token);
      expect(watcher.events).toEqual([{ event: 'bye', data: { reason } }]);
    }
    await pollOnly.close();
  });

  test('a terminated LISTEN connection reconnects, and changes in the meantime are delivered', async () => {
    const pkg = await createPackage(owner);
    const watcher = await track(pkg);
    for (const status of ['in transit', 'out for delivery', 'delivered'] as const) {
      await product.ctx.db.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'",
      );
      const params = { id: pkg.id };
      if (status === 'in transit') await start(pkg);
      if (status === 'out for delivery') await driver.api.deliveries.next({ params });
      if (status === 'delivered') await driver.api.deliveries.complete({ params });
      await eventually(status, () => statuses(watcher).at(-1) === status);
    }
  });
});

describe('many writers at once', () => {
  test.each([
    { title: 'woken by commits', live: { pollMs: never } },
    { title: 'by the poll alone', live: { pollMs: 50, wakeUps: false } },
  ])('with rollbacks in between: every client converges on the final state, $title', async ({ live }) => {
    const busy = await openTestProduct({ beside: product, live, runsJobs: false });
    const pkgs = await Promise.all(Array.from({ length: 8 }, () => createPackage(owner)));
    const following = await Promise.all(pkgs.flatMap((pkg) => [track(pkg, busy), track(pkg, busy)]));
    const api = busy.api(owner.token);
    // Load shedding may answer 503: retry.
    const retried = (call: () => Promise<unknown>): Promise<unknown> =>
      call().catch((error: ApiError) => {
        if (error.status !== 503) throw error;
        return retried(call);
      });
    const write = async (writer: number) => {
      for (let round = 0; round < (runsAll ? 25 : 10); round++) {
        const pkg = pkgs[(writer + round) % pkgs.length];
        const params = { id: pkg?.id ?? '' };
        await retried(() => api.packages.update({ params, body: { location: `Place ${writer}-${round}` } }));
        // Every fifth change is rolled back after its event was inserted.
        if (round % 5 === 0)
          await api.packages.update({ params, body: { name: 'Rolled back', status: 'delivered' } }).catch(() => {});
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)));
    const final = await Promise.all(pkgs.map((pkg) => product.api().tracking.view({ params: { id: pkg.trackingId } })));
    await eventually('every watcher on the final state', () =>
      following.every(
        (watcher, index) => JSON.stringify(views(watcher).at(-1)) === JSON.stringify(final[Math.floor(index / 2)]),
      ),
    );
    for (const watcher of following) expect(views(watcher).some(({ name }) => name === 'Rolled back')).toBe(false);
    await busy.close();
  });
});

describe('stream limits', () => {
  test('the slots of each user and each IP address are limited, and released', async () => {
    const narrow = await openTestProduct({ beside: product, config: { RATE_LIMITS: 'on' }, runsJobs: false });
    const pkg = await createPackage(owner);
    const mine = await Promise.all(Array.from({ length: 5 }, () => listen(owner, narrow)));
    await expect(watch(narrow, '/live', owner.token)).rejects.toThrow('429');
    await listen(driver, narrow);
    await Promise.all(Array.from({ length: 3 }, () => track(pkg, narrow)));
    await expect(watch(narrow, `/track/${pkg.trackingId}/live`)).rejects.toThrow('429');
    mine[0]?.stop();
    await eventually('a free slot', () =>
      listen(owner, narrow).then(
        () => true,
        () => false,
      ),
    );
    await narrow.close();
  });

  test('an idle preconnected socket does not delay the shutdown', async () => {
    const leaving = await openTestProduct({ beside: product, runsJobs: false });
    const socket = connect(Number(new URL(await leaving.listen()).port), '127.0.0.1').resume();
    await once(socket, 'connect');
    await follow('/live', owner.token, leaving);
    const before = performance.now();
    await leaving.close();
    // After 7 s the shutdown destroys all connections.
    expect(performance.now() - before).toBeLessThan(6500);
    await eventually('the end', () => socket.closed);
  });

  test('a server that stops closes every stream with `drain`, so that clients reconnect elsewhere', async () => {
    const leaving = await openTestProduct({ beside: product, runsJobs: false });
    const streams = [await listen(owner, leaving), await track(await createPackage(owner), leaving)];
    await leaving.close();
    await eventually('the ends', () => streams.every((stream) => stream.ended()));
    expect(streams.map((stream) => stream.bye())).toEqual(['drain', 'drain']);
  });
});

// Last in this file: a process knows of what was missed from 10 s after its start on.
test('a stream sends what its caller has missed, unless that is not known any more', async () => {
  const resume = async (missedMs: number, user = owner) => {
    const watcher = await follow(`/live?missedMs=${missedMs}`, user.token);
    const resumed = watcher.events.some(
      ({ event, data }) => event === 'hello' && (data as { resumed: boolean }).resumed,
    );
    return { watcher, resumed };
  };
  await eventually('a process that knows', async () => (await resume(100)).resumed);
  const newcomer = await product.register('owner');
  const pkg = await createPackage(newcomer);
  await listen(admin);
  const { watcher } = await resume(100, newcomer);
  await eventually('the hint', () => hints(watcher).includes(`package ${pkg.id}`));
  expect(hints((await resume(100, otherOwner)).watcher)).not.toContain(`package ${pkg.id}`);
  expect((await resume(maxMissedMs + 1)).resumed).toBe(false);
  const plain = await follow('/live', owner.token);
  expect(plain.events).toMatchObject([{ event: 'hello', data: { resumed: false } }]);
});
