import { group, type Endpoint } from '@waybill/contract';
import fastify from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { pino } from 'pino';
import { z } from 'zod';
import type { Db } from './db.ts';
import { bind } from './http.ts';
import { openSessions } from './sessions.ts';

const apps: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

/** Public endpoints never ask the database who is calling. */
const noDatabase: Db = {
  query: () => Promise.reject(new Error('there is no database here')),
  transaction: () => Promise.reject(new Error('there is no database here')),
};

const shape = z.object({
  shown: z.string(),
  inner: z.object({ shown: z.number() }),
  list: z.array(z.object({ shown: z.boolean() })),
});
const things = group({
  read: { method: 'GET', path: '/thing', access: 'public', scope: 'none', reply: shape },
  list: { method: 'GET', path: '/things', access: 'public', scope: 'none', reply: z.array(shape), list: true },
});

test('nothing that the contract does not declare leaves the server, however deep it lies', async () => {
  const app = fastify();
  apps.push(app);
  const shown = { shown: 'yes', inner: { shown: 1 }, list: [{ shown: true }] };
  const row = {
    ...shown,
    password_hash: 'x',
    inner: { ...shown.inner, secret: 'x' },
    list: [{ shown: true, secret: 'x' }],
  };
  bind(app, { db: noDatabase, sessions: openSessions(noDatabase), log: pino({ level: 'silent' }) }, things, {
    read: async () => row,
    list: async () => ({ items: [row, row], next: null, total: 2 }),
  });
  expect((await app.inject('/thing')).json()).toEqual(shown);
  expect((await app.inject('/things')).json()).toEqual([shown, shown]);
});

test.each(['access', 'scope', 'reply'] as const)(
  'an endpoint that says nothing of its %s stops the start',
  (missing) => {
    const app = fastify();
    apps.push(app);
    const silent = { ...things.read, [missing]: undefined } as unknown as Endpoint;
    expect(() =>
      bind(
        app,
        { db: noDatabase, sessions: openSessions(noDatabase), log: pino({ level: 'silent' }) },
        { silent },
        { silent: async () => {} },
      ),
    ).toThrow('GET /thing lacks its access rule, scope or reply');
  },
);
