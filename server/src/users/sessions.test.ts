import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { changesSessions } from '../events/record.ts';
import type { Queryable } from '../platform/database/db.ts';
import { openSessions } from './sessions.ts';
import { openTestProduct, password, type TestProduct, type TestUser } from '../testing/test-product.ts';

let product: TestProduct;
let beside: TestProduct;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  beside = await openTestProduct({ beside: product, runsJobs: false });
  admin = await product.register('admin');
});
afterAll(async () => {
  await beside.close();
  await product.close();
});

/** The status of a request with this token to an endpoint of active owners. */
const statusAt = (server: TestProduct, token: string): Promise<number> =>
  server
    .api(token)
    .packages.create({
      body: {
        name: 'Desk lamp',
        description: 'A lamp for the desk, in two parts',
        category: 'Furniture',
        weight: 1,
        recipientName: 'Anna Berg',
        recipientContact: '+49 151 2345678',
      },
    })
    .then(
      () => 201,
      (error: { status: number }) => error.status,
    );

/** Resolves when this server's feed has an event that changes the user's sessions or rights. */
const untilInvalidated = (server: TestProduct, userId: string): Promise<void> =>
  new Promise((resolve) =>
    server.ctx.feed.subscribe((events) => {
      if (events.some((event) => event.user_id === userId && changesSessions(event.type))) resolve();
    }),
  );

describe('a cached caller', () => {
  test.each<{ what: string; change: (user: TestUser) => Promise<unknown>; status: number }>([
    {
      what: 'is suspended',
      change: ({ id }) => admin.api.users.update({ params: { id }, body: { status: 'suspended' } }),
      status: 403,
    },
    {
      what: 'gets another role',
      change: ({ id }) => admin.api.users.update({ params: { id }, body: { role: 'driver' } }),
      status: 403,
    },
    {
      what: 'loses a permission',
      change: ({ id }) => admin.api.users.update({ params: { id }, body: { permissions: ['packages.read'] } }),
      status: 403,
    },
    { what: 'is deleted', change: ({ id }) => admin.api.users.remove({ params: { id } }), status: 401 },
    { what: 'signs out', change: ({ api }) => api.auth.logout(), status: 401 },
    {
      what: 'changes the password in another session',
      change: async ({ email }) => {
        const { token } = await product.api().auth.login({ body: { email, password } });
        await product
          .api(token)
          .users.changePassword({ body: { currentPassword: password, newPassword: 'battery staple' } });
      },
      status: 401,
    },
  ])(
    'who $what is refused by the next request, and on other servers once they receive the event',
    async ({ change, status }) => {
      const user = await product.register('owner');
      expect([await statusAt(product, user.token), await statusAt(beside, user.token)]).toEqual([201, 201]);
      const invalidated = untilInvalidated(beside, user.id);
      await change(user);
      expect(await statusAt(product, user.token)).toBe(status);
      await invalidated;
      expect(await statusAt(beside, user.token)).toBe(status);
    },
  );

  test('is looked up once, and again after 5 s without any event', async () => {
    const { token } = await product.register('owner');
    const { sessions, queries } = openCountedSessions();
    let time = 1000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
    try {
      await sessions.find(token);
      time += 4999;
      await sessions.find(token);
      expect(queries()).toBe(1);
      time += 1;
      await sessions.find(token);
      expect(queries()).toBe(2);
    } finally {
      clock.mockRestore();
    }
  });

  test('is not cached from a read that an invalidation overtook', async () => {
    const { token } = await product.register('owner');
    const { sessions, queries } = openCountedSessions();
    const reading = sessions.find(token);
    sessions.clearCache();
    await reading;
    await sessions.find(token);
    expect(queries()).toBe(2);
  });

  test('is never null: an unknown token is looked up each time', async () => {
    const { sessions, queries } = openCountedSessions();
    const nobody = 'x'.repeat(43);
    expect([await sessions.find(nobody), await sessions.find(nobody)]).toEqual([null, null]);
    expect(queries()).toBe(2);
  });
});

/** Sessions that count their queries to the product's database. */
function openCountedSessions() {
  let count = 0;
  const db: Queryable = {
    query: (sql, params) => {
      count++;
      return product.ctx.db.query(sql, params);
    },
  };
  return { sessions: openSessions(db), queries: () => count };
}
