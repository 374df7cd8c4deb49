import { endpoints, type Endpoint } from '@waybill/contract';
import { expect, test } from 'vitest';
import { isSearch, loadClassOf } from './load-classes.ts';

const all = Object.entries(endpoints as Record<string, Record<string, Endpoint>>).flatMap(([group, members]) =>
  Object.entries(members).map(([name, endpoint]) => ({ name: `${group}.${name}`, endpoint })),
);

test('every endpoint is in the load class of its kind of work', () => {
  const of = Object.fromEntries(all.map(({ name, endpoint }) => [name, loadClassOf(endpoint)]));
  expect(of).toMatchObject({
    'tracking.view': 'lookups',
    'tracking.live': 'lookups',
    'auth.login': 'sign',
    'auth.register': 'sign',
    'auth.forgot': 'sign',
    'auth.reset': 'sign',
    'auth.logout': 'rest',
    'auth.signUpPolicy': 'rest',
    'users.changePassword': 'sign',
    'users.create': 'sign',
    'deliveries.start': 'actions',
    'deliveries.pending': 'shared',
    'deliveries.complete': 'actions',
    'packages.exportAll': 'transfers',
    'packages.import': 'transfers',
    'labels.print': 'transfers',
    'users.exportAll': 'transfers',
    'packages.create': 'rest',
    'packages.listAll': 'rest',
  });
});

test('every endpoint that takes a password is in the class of those that hash one', () => {
  const takesPassword = ({ body }: Endpoint) =>
    typeof body === 'object' &&
    'shape' in body &&
    Object.keys(body.shape as object).some((field) => /password/i.test(field));
  const elsewhere = all.filter(({ endpoint }) => takesPassword(endpoint) && loadClassOf(endpoint) !== 'sign');
  // There a client may send back the whole account: the password is ignored, not hashed. Preferences have a kind of message of this name.
  expect(elsewhere.map(({ name }) => name)).toEqual([
    'users.updateProfile',
    'users.update',
    'notifications.setPreferences',
  ]);
});

test('the number of what waits is kept, so that the list that all drivers share is no search', () => {
  const { pending } = endpoints.deliveries;
  expect(isSearch(pending, { limit: '20', count: 'true' })).toBe(false);
  expect(isSearch(pending, { from: '2026-01-01', count: 'true' })).toBe(true);
  expect(isSearch(pending, { q: 'lamp' })).toBe(true);
});

test.each([
  [{}, false],
  [{ limit: '5', status: 'pending' }, false],
  [{ q: '' }, false],
  [{ count: 'false' }, false],
  [{ q: 'lamp' }, true],
  [{ count: 'true' }, true],
  [{ count: '1' }, true],
])('a list request with the query %j is a search: %s', (query, expected) => {
  const { list } = endpoints.users;
  expect(isSearch(list, query)).toBe(expected);
  expect(isSearch(endpoints.users.me, query)).toBe(false);
});
