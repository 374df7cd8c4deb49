import { group, type Endpoint } from '@waybill/contract';
import fastify from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { pino } from 'pino';
import * as z from 'zod/mini';
import type { Db } from '../database/db.ts';
import type { AppError } from '../errors.ts';
import { bind } from './http.ts';
import { unlimited } from '../load/rate-limits.ts';
import { openSessions } from '../../users/sessions.ts';

const apps: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

/** Public endpoints need no session, so no database. */
const noDatabase: Db = {
  connections: 1,
  query: () => Promise.reject(new Error('there is no database here')),
  transaction: () => Promise.reject(new Error('there is no database here')),
  snapshot: () => Promise.reject(new Error('there is no database here')),
};

const shape = z.object({
  shown: z.string(),
  inner: z.object({ shown: z.number() }),
  list: z.array(z.object({ shown: z.boolean() })),
  known: z.nullable(z.object({ shown: z.nullable(z.iso.date()) })),
  unknown: z.nullable(z.object({ shown: z.string() })),
  kinds: z.array(z.nullable(z.enum(['a', 'b']))),
});
const things = group({
  read: { method: 'GET', path: '/thing', access: 'public', scope: 'none', reply: shape },
  list: { method: 'GET', path: '/things', access: 'public', scope: 'none', reply: z.array(shape), list: true },
});

test('fields that the contract does not declare are removed from replies, at any depth', async () => {
  const app = fastify();
  apps.push(app);
  const shown = {
    shown: 'yes',
    inner: { shown: 1 },
    list: [{ shown: true }],
    known: { shown: null },
    unknown: null,
    kinds: ['a', null] as ('a' | null)[],
  };
  const row = {
    ...shown,
    password_hash: 'x',
    inner: { ...shown.inner, secret: 'x' },
    list: [{ shown: true, secret: 'x' }],
    known: { shown: null, secret: 'x' },
  };
  bind(
    app,
    { db: noDatabase, rateLimits: unlimited, sessions: openSessions(noDatabase), log: pino({ level: 'silent' }) },
    things,
    {
      read: async () => row,
      list: async () => ({ items: [row, row], next: null, count: { total: 2, isCapped: false } }),
    },
  );
  expect((await app.inject('/thing')).json()).toEqual(shown);
  expect((await app.inject('/things')).json()).toEqual([shown, shown]);
});

test.each(['access', 'scope', 'reply'] as const)('an endpoint without %s is an error at the start', (missing) => {
  const app = fastify();
  apps.push(app);
  const silent = { ...things.read, [missing]: undefined } as unknown as Endpoint;
  expect(() =>
    bind(
      app,
      { db: noDatabase, rateLimits: unlimited, sessions: openSessions(noDatabase), log: pino({ level: 'silent' }) },
      { silent },
      { silent: async () => {} },
    ),
  ).toThrow('GET /thing lacks its access rule, scope or reply');
});

describe('an endpoint that takes no body', () => {
  const quiet = group({ act: { method: 'POST', path: '/act', access: 'public', scope: 'none', reply: 'none' } });
  const ask = async (payload?: string) => {
    const app = fastify();
    apps.push(app);
    let acted = 0;
    bind(
      app,
      { db: noDatabase, rateLimits: unlimited, sessions: openSessions(noDatabase), log: pino({ level: 'silent' }) },
      quiet,
      {
        act: async () => void acted++,
      },
    );
    app.setErrorHandler((error, _request, reply) => reply.code(500).send({ fields: (error as AppError).fields }));
    const headers = payload === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await app.inject({
      method: 'POST',
      url: '/act',
      headers,
      ...(payload !== undefined && { payload }),
    });
    return { acted, fields: answer.statusCode === 204 ? null : answer.json<Partial<AppError>>().fields };
  };

  test.each([undefined, '{}'])('accepts %s', async (payload) => {
    expect(await ask(payload)).toEqual({ acted: 1, fields: null });
  });

  test.each([
    ['{"reason": "Too late"}', { reason: 'This field is not known' }],
    ['[]', { body: 'Must be an object' }],
    ['null', { body: 'Must be an object' }],
    ['"x"', { body: 'Must be an object' }],
  ])('refuses %s and does nothing', async (payload, fields) => {
    expect(await ask(payload)).toEqual({ acted: 0, fields });
  });
});
