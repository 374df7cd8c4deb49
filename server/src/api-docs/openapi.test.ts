import { createConfig, lintFromString } from '@redocly/openapi-core';
import { endpoints, type Endpoint } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenApi } from './openapi.ts';
import { openTestProduct, type TestProduct } from '../testing/test-product.ts';

let product: TestProduct;
let api: OpenApi;
beforeAll(async () => {
  product = await openTestProduct({ runsJobs: false });
  const answer = await product.app.inject('/api/openapi.json');
  api = answer.json<OpenApi>();
});
afterAll(() => product.close());

test('the document describes every endpoint of the contract once, with its name as operationId', () => {
  const described = Object.values(api.paths).flatMap((operations) =>
    Object.values(operations).map(({ operationId }) => operationId),
  );
  const declared = Object.entries(endpoints as Record<string, Record<string, Endpoint>>).flatMap(([group, members]) =>
    Object.keys(members).map((name) => `${group}.${name}`),
  );
  expect(described.toSorted()).toEqual(declared.toSorted());
});

test('a linter finds no problems', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The server's URL is relative to the document.
      'no-server-example.com': 'off',
      // `/packages/available` does not collide with `/packages/{id}`, since ids are UUIDs.
      'no-ambiguous-paths': 'off',
    },
  });
  const problems = await lintFromString({ source: JSON.stringify(api), config });
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`),
  ).toEqual([]);
});

test('every operation has a summary, unique and of at least three words', () => {
  const operations = Object.values(api.paths).flatMap((members) => Object.values(members));
  const withoutSummary = operations.filter(({ summary, operationId }) => {
    const name = operationId.split('.')[1]?.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) ?? '';
    return summary.split(' ').length < 3 || summary.toLowerCase() === name;
  });
  expect(withoutSummary.map(({ operationId }) => operationId)).toEqual([]);
  expect(new Set(operations.map(({ summary }) => summary)).size).toBe(operations.length);
});

test('every JSON request and reply has an example that the contract accepts', () => {
  const faults: string[] = [];
  for (const operation of Object.values(api.paths).flatMap((members) => Object.values(members))) {
    const [group = '', name = ''] = operation.operationId.split('.');
    const endpoint = (endpoints as Record<string, Record<string, Endpoint>>)[group]?.[name];
    const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
    for (const [schema, content] of [
      [endpoint?.body, operation.requestBody?.content],
      [endpoint?.reply, success?.content],
    ] as const) {
      if (typeof schema !== 'object') continue;
      const checked = schema.safeParse(content?.['application/json']?.example);
      if (!checked.success)
        faults.push(
          ...checked.error.issues.map(({ path, message }) => `${operation.operationId} ${path.join('.')}: ${message}`),
        );
    }
  }
  expect(faults).toEqual([]);
  expect(api.paths['/api/packages']?.post?.requestBody?.content['application/json']?.example).toMatchObject({
    name: 'Walnut lamp',
    recipientName: 'Mara Lindqvist',
  });
});

test('every other content has an example too: files with their real columns, images, streams', async () => {
  const operations = Object.values(api.paths).flatMap((members) => Object.values(members));
  const contents = operations.flatMap(({ operationId, requestBody, responses }) =>
    [requestBody?.content, Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content]
      .flatMap((content) => Object.entries(content ?? {}))
      .map(([type, { example }]) => ({ operationId, type, example })),
  );
  expect(contents.filter(({ example }) => !example)).toEqual([]);
  const form = contents.filter(({ type }) => type === 'multipart/form-data');
  expect(form).toEqual([
    { operationId: 'packages.addImage', type: 'multipart/form-data', example: { image: 'lamp.jpg' } },
    { operationId: 'map.part', type: 'multipart/form-data', example: { part: 'part' } },
  ]);

  const admin = await product.register('admin');
  for (const [path, { get }] of Object.entries(api.paths)) {
    const example = get?.responses[200]?.content?.['text/csv']?.example as string | undefined;
    if (!example) continue;
    const url = path.replace('{id}', admin.id);
    const file = await product.app.inject({ url, headers: { authorization: `Bearer ${admin.token}` } });
    const head = (text = '') => text.replace(/^\ufeff/, '').split('\r\n')[0];
    expect(head(example), path).toBe(head(file.body));
  }
  const { token } = await product.register('owner');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' };
  const payload = api.paths['/api/packages/import']?.post?.requestBody?.content['text/csv']?.example as string;
  const imported = await product.app.inject({ method: 'POST', url: '/api/packages/import', headers, payload });
  expect(imported.json()).toMatchObject({ created: 1, failed: 0, ignoredColumns: [] });
});

test('every example of a request is valid: errors are only about its secrets and ids', async () => {
  const people = [await product.register('owner'), await product.register('driver'), await product.register('admin')];
  // Secrets and ids of the example server do not exist here.
  const unknown = new Set(['token', 'password', 'currentPassword', 'driverId', 'driverIds', 'depotId', 'to']);
  const invalid: string[] = [];
  for (const [path, operations] of Object.entries(api.paths)) {
    for (const [method, { operationId, requestBody }] of Object.entries(operations)) {
      const payload = requestBody?.content['application/json']?.example as object | undefined;
      if (!payload) continue;
      const url = path.replaceAll('{id}', crypto.randomUUID());
      for (const { token } of people) {
        const headers = { authorization: `Bearer ${token}` };
        const answer = await product.app.inject({ method: method.toUpperCase() as 'POST', url, headers, payload });
        if (![400, 422, 500].includes(answer.statusCode)) continue;
        const { fields = {}, message } = answer.json<{ fields?: object; message: string }>();
        const faults = Object.keys(fields).filter((field) => !unknown.has(field));
        if (faults.length > 0 || Object.keys(fields).length === 0)
          invalid.push(`${operationId} ${faults.join(', ')}: ${message}`);
      }
    }
  }
  expect(invalid).toEqual([]);
  expect((await people[2]?.api.contact.list())?.items).not.toHaveLength(0);
});

test('lists document pagination, idempotent calls their key, and every error its codes', () => {
  const list = api.paths['/api/packages']?.get;
  expect(Object.keys(list?.responses[200]?.headers ?? {})).toEqual([
    'X-Request-Id',
    'Link',
    'X-Total-Count',
    'X-Total-Count-Capped',
  ]);
  expect(list?.parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(['limit', 'cursor', 'q', 'status']));
  const start = api.paths['/api/deliveries/{id}/start']?.post;
  expect(start?.parameters.map(({ name }) => name)).toEqual(['id', 'Idempotency-Key']);
  expect(start?.responses[409]?.description).toContain('already_started');
  const keyed = (path: string) => api.paths[path]?.post?.parameters.some(({ name }) => name === 'Idempotency-Key');
  expect([keyed('/api/packages/import'), keyed('/api/packages/import/preview')]).toEqual([true, false]);
  expect(start?.security).toEqual([{ session: [] }]);
  expect(api.paths['/api/track/{id}']?.get?.security).toEqual([]);
});

test('the reference shows every operation, and loads no external resources', async () => {
  const page = await product.app.inject('/api/docs');
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  for (const operations of Object.values(api.paths))
    for (const { operationId } of Object.values(operations)) expect(page.body).toContain(`id="${operationId}"`);
  expect(page.body).not.toMatch(/(?:src|href)="(?:\w+:)?\/\/|<script(?! src="\/)|\sstyle="|\son\w+="/);
  expect(page.body).toContain('curl -X POST &quot;$WAYBILL/api/auth/login&quot;');
  const styles = /<link rel="stylesheet" href="([^"]+)"/.exec(page.body)?.[1] ?? '';
  expect((await product.app.inject(styles)).headers['content-type']).toBe('text/css; charset=utf-8');
});

test('API_DOCS=off serves neither the document nor the page, but still the API', async () => {
  const closed = await openTestProduct({ runsJobs: false, config: { API_DOCS: 'off' } });
  for (const path of ['/api/docs', '/api/docs.css', '/api/openapi.json'])
    expect((await closed.app.inject(path)).statusCode).toBe(404);
  expect((await closed.app.inject('/api/auth/sign-up')).statusCode).toBe(200);
  await closed.close();
});
