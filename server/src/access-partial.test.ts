import type { Permission } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPackage, openTestProduct, type TestProduct, type TestUser } from './testing/test-product.ts';

/**
 * Callers with some of an administrator's permissions, by a list of their own. `access.test.ts` only covers whole roles; faults are
 * likelier in between.
 */
const callers = {
  dispatcher: ['users.update'],
  analyst: ['admin.view_analytics'],
  overseer: ['deliveries.view_all'],
  clerk: ['users.create', 'users.delete', 'admin.manage_users'],
} satisfies Record<string, Permission[]>;
type Caller = keyof typeof callers;

type Row = [call: string, body: object | null, expected: Record<Caller, number>];
const nobody = { dispatcher: 403, analyst: 403, overseer: 403, clerk: 403 };
const table: Row[] = [
  ['GET /users/me', null, { dispatcher: 200, analyst: 200, overseer: 200, clerk: 200 }],
  ['GET /users', null, { ...nobody, clerk: 200 }],
  ['GET /users/{owner}', null, { ...nobody, clerk: 200 }],
  ['GET /users/export', null, { ...nobody, clerk: 200 }],
  ['POST /users', { name: 'Made Up', email: '{email}' }, { ...nobody, clerk: 201 }],
  ['POST /users', { name: 'Made Up', email: '{email}', role: 'admin' }, nobody],
  ['PUT /users/{owner}', { name: 'Another name' }, { ...nobody, dispatcher: 200 }],
  ['PUT /users/{owner}', { role: 'driver' }, nobody],
  ['PUT /users/{owner}', { permissions: ['packages.read'] }, nobody],
  ['PUT /users/{admin}', { name: 'Another name' }, nobody],
  ['PUT /users/{admin}', { status: 'suspended' }, nobody],
  ['POST /users/{owner}/reset-link', null, { ...nobody, dispatcher: 201 }],
  ['POST /users/{admin}/reset-link', null, nobody],
  ['POST /users/{owner}/invitation', null, { ...nobody, clerk: 409 }],
  ['GET /users/{owner}/deliveries/summary', null, { ...nobody, dispatcher: 200, clerk: 200 }],
  ['GET /users/{owner}/sessions', null, { ...nobody, dispatcher: 200 }],
  ['DELETE /users/{owner}/sessions', null, { ...nobody, dispatcher: 204 }],
  ['DELETE /users/{admin}/sessions', null, nobody],
  ['DELETE /users/{admin}/sessions/{session}', null, nobody],
  ['DELETE /users/{admin}', null, nobody],
  ['DELETE /users/{owner}', null, { ...nobody, clerk: 204 }],
  ['GET /packages', null, nobody],
  // Without packages.view_all, a foreign package does not exist.
  ['GET /packages/{package}', null, nobody],
  ['GET /packages/{package}/receipt', null, nobody],
  ['GET /packages/{package}/proof', null, nobody],
  ['PUT /packages/{package}', { status: 'cancelled' }, nobody],
  ['POST /deliveries/{package}/assign', { driverId: '{owner}' }, nobody],
  ['GET /deliveries', null, { ...nobody, overseer: 200 }],
  ['GET /positions', null, { ...nobody, overseer: 200 }],
  ['GET /positions/map', null, { ...nobody, overseer: 200 }],
  ['GET /positions/stops', null, { ...nobody, overseer: 200 }],
  ['GET /positions/drivers', null, { ...nobody, overseer: 200 }],
  ['GET /stats', null, { ...nobody, analyst: 200 }],
  ['GET /stats/performance', null, { ...nobody, analyst: 200 }],
  ['GET /stats/arrivals', null, { ...nobody, analyst: 200 }],
  ['GET /stats/needs', null, { ...nobody, analyst: 200 }],
  ['GET /stats/events', null, nobody],
  ['GET /roles', null, nobody],
  ['POST /roles', { name: 'A role', permissions: [] }, nobody],
  ['GET /audit', null, nobody],
  // Recipients of all owners are found, so it takes packages.view_all as well.
  ['POST /persons/search', { q: 'nobody at all' }, nobody],
  ['POST /persons/erase', { packageIds: ['{package}'], confirm: 'erase' }, nobody],
  ['GET /settings', null, nobody],
  ['PUT /settings', { organisationName: 'Mine' }, nobody],
  ['GET /templates', null, nobody],
  ['PUT /templates/owner.delivery.completed/en', { subject: 'Here', paragraphs: ['Here.'] }, nobody],
  ['POST /deliveries/{package}/release-pin', {}, nobody],
  ['GET /map', null, nobody],
  ['POST /map/uploads', { name: 'hamburg.osm.pbf', size: 1 }, nobody],
  ['DELETE /map/extract', null, nobody],
  ['GET /incidents', null, nobody],
  ['GET /messages', null, nobody],
  ['GET /notifications/sent', null, nobody],
  ['GET /inventory', null, nobody],
  ['GET /shifts', null, nobody],
];

let product: TestProduct;
let admin: TestUser;
let packageId: string;
const users = new Map<Caller, TestUser>();
beforeAll(async () => {
  product = await openTestProduct({ runsJobs: false });
  admin = await product.register('admin');
  packageId = (await createPackage(await product.register('owner'))).id;
  for (const [name, permissions] of Object.entries(callers)) {
    const user = await product.register('admin');
    await admin.api.users.update({ params: { id: user.id }, body: { permissions } });
    users.set(name as Caller, user);
  }
});
afterAll(() => product.close());

let emails = 0;
test.each(table)('%s %j', async (call, body, expected) => {
  const [method, path = ''] = call.split(' ');
  const answers: Record<string, number> = {};
  for (const [name, caller] of users) {
    const owner = await product.register('owner');
    const [session] = await admin.api.users.sessions();
    const ids = { owner: owner.id, admin: admin.id, package: packageId, session: session?.id ?? '' };
    const filled = (text: string) =>
      Object.entries({ ...ids, email: `partial${++emails}@example.com` }).reduce(
        (result, [key, value]) => result.replaceAll(`{${key}}`, value),
        text,
      );
    const answer = await product.app.inject({
      method: method as 'GET',
      url: `/api${filled(path)}`,
      headers: { authorization: `Bearer ${caller.token}` },
      ...(body && { payload: JSON.parse(filled(JSON.stringify(body))) as object }),
    });
    answers[name] = answer.statusCode;
  }
  expect(answers).toEqual(expected);
});
