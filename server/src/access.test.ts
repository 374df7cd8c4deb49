import { endpoints, type Endpoint, type Role, type UserStatus } from '@waybill/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  anyVersion,
  createPackage,
  openTestProduct,
  packageInput,
  password,
  createDeadLetter,
  type TestProduct,
  type TestUser,
} from './testing/test-product.ts';

/**
 * The access matrix, written by hand from docs/specification.md and not derived from the code under test.
 * The object of a row belongs to `owner`, and its delivery to `driver`; for `other…` it is foreign. `admin` is tested with a foreign and an
 * own object. `barred` are suspended or inactive accounts, each tested with an own and a foreign object.
 */
interface Row {
  call: string;
  /** Distinguishes rows of the same endpoint. */
  when?: string;
  /** The object in the path: a package with this status, or the named kind of object. */
  object?:
    | 'pending'
    | 'in transit'
    | 'delivered'
    | 'incident'
    | 'message'
    | 'failed notification'
    | 'import'
    | 'session'
    | 'notification'
    | 'own account'
    | 'foreign account'
    | 'spare account'
    | 'its driver'
    | 'role'
    | 'shift'
    | 'absence'
    | 'depot'
    | 'address'
    | 'map upload'
    | 'planned route'
    | 'started route'
    | 'offer';
  /** The query string, with its question mark. */
  query?: string;
  body?: (world: World) => object;
  /** Instead of a body. */
  form?: () => FormData;
  /** A CSV file as the body. */
  csv?: string;
  expected: [
    nobody: number,
    owner: number,
    otherOwner: number,
    driver: number,
    otherDriver: number,
    admin: number,
    barred: number,
  ];
}

const loggedIn = 401;
const everybody: Row['expected'] = [200, 200, 200, 200, 200, 200, 200];
const active: Row['expected'] = [loggedIn, 200, 200, 200, 200, 200, 403];
const onlyAdmin: Row['expected'] = [loggedIn, 403, 403, 403, 403, 200, 403];
const onlyDrivers: Row['expected'] = [loggedIn, 403, 403, 200, 200, 403, 403];
const claimers: Row['expected'] = [loggedIn, 403, 403, 200, 200, 200, 403];
const importers: Row['expected'] = [loggedIn, 200, 200, 403, 403, 200, 403];
const creators: Row['expected'] = [loggedIn, 201, 201, 403, 403, 201, 403];
const itsOwner: Row['expected'] = [loggedIn, 200, 404, 404, 404, 200, 403];

function onePixel(): FormData {
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  const form = new FormData();
  form.append('image', new File([gif], 'pixel.gif', { type: 'image/gif' }));
  return form;
}
const extractStart = Buffer.from('\0\0\0\r\n\tOSMHeader');
/** Each absence is on a different day, so that they do not overlap. */
function absenceOn(day: number) {
  const date = new Date(Date.UTC(2030, 0, 1 + day)).toISOString().slice(0, 10);
  return { kind: 'holiday', from: date, to: date } as const;
}

/** Each shift is on a different day, so that they do not overlap. */
function shiftOf(driver: Pick<TestUser, 'id'>, day: number) {
  const startsAt = Date.UTC(2030, 0, day, 8);
  const [from, to] = [startsAt, startsAt + 8 * 3_600_000].map((at) => new Date(at).toISOString());
  return { driverId: driver.id, startsAt: from ?? '', endsAt: to ?? '' };
}
const oneRow =
  'name,description,category,weight,recipientName,recipientContact\nLamp,A lamp for the desk,Other,1,Anna Berg,0151 2345678';

const table: Row[] = [
  { call: 'POST /auth/login', body: ({ subject }) => ({ email: subject.email, password }), expected: everybody },
  {
    call: 'POST /auth/register',
    body: ({ unique }) => ({ name: 'Somebody new', email: `new${unique}@example.com`, password }),
    expected: [201, 201, 201, 201, 201, 201, 201],
  },
  { call: 'POST /auth/logout', expected: [loggedIn, 204, 204, 204, 204, 204, 204] },
  { call: 'GET /auth/sign-up', expected: everybody },
  {
    call: 'POST /auth/forgot',
    body: ({ subject }) => ({ email: subject.email }),
    expected: [202, 202, 202, 202, 202, 202, 202],
  },
  {
    call: 'POST /auth/reset',
    when: 'with a guess',
    body: () => ({ token: 'guess', password }),
    expected: [422, 422, 422, 422, 422, 422, 422],
  },

  {
    call: 'POST /uploads',
    body: () => ({ name: 'lamp.jpg', type: 'image/jpeg', size: 1000 }),
    expected: [loggedIn, 201, 201, 201, 201, 201, 403],
  },

  { call: 'GET /users/me', expected: [loggedIn, 200, 200, 200, 200, 200, 200] },
  {
    call: 'DELETE /users/me',
    when: 'the password is wrong',
    body: () => ({ password: 'not this one' }),
    expected: [loggedIn, 422, 422, 422, 422, 422, 403],
  },
  { call: 'PUT /users/profile', body: () => ({ phone: '+4915112345678' }), expected: active },
  {
    call: 'PUT /users/me/password',
    body: () => ({ currentPassword: password, newPassword: password }),
    expected: [loggedIn, 204, 204, 204, 204, 204, 403],
  },
  { call: 'POST /auth/confirm', body: () => ({ password }), expected: [loggedIn, 204, 204, 204, 204, 204, 403] },
  {
    call: 'PUT /users/me/totp/confirm',
    when: 'none is being set up',
    body: () => ({ code: '123456' }),
    expected: [loggedIn, 409, 409, 409, 409, 409, 403],
  },
  {
    call: 'DELETE /users/me/totp',
    when: 'there is none',
    body: () => ({ password, code: '123456' }),
    expected: [loggedIn, 409, 409, 409, 409, 409, 403],
  },
  {
    call: 'POST /users/me/recovery-codes',
    when: 'there is no second factor',
    body: () => ({ password, code: '123456' }),
    expected: [loggedIn, 409, 409, 409, 409, 409, 403],
  },
  { call: 'POST /users/me/totp', expected: active },
  { call: 'DELETE /users/me/totp/pending', expected: [loggedIn, 204, 204, 204, 204, 204, 403] },
  { call: 'GET /users/me/sessions', expected: active },
  { call: 'DELETE /users/me/sessions/:id', object: 'session', expected: [loggedIn, 204, 404, 404, 404, 404, 403] },
  { call: 'GET /users', expected: onlyAdmin },
  {
    call: 'POST /client-errors',
    body: () => ({ kind: 'error', message: 'It broke', page: '/login', version: '0.2.0' }),
    expected: [204, 204, 204, 204, 204, 204, 204],
  },
  { call: 'GET /audit', expected: onlyAdmin },
  { call: 'POST /persons/search', body: () => ({ q: 'nobody at all' }), expected: onlyAdmin },
  {
    call: 'POST /persons/export',
    object: 'pending',
    body: ({ object }) => ({ packageIds: [object] }),
    expected: onlyAdmin,
  },
  {
    call: 'POST /persons/erase',
    when: 'the package waits',
    object: 'pending',
    body: ({ object }) => ({ packageIds: [object], confirm: 'erase' }),
    expected: [loggedIn, 403, 403, 403, 403, 409, 403],
  },
  { call: 'GET /audit/export', expected: onlyAdmin },
  { call: 'GET /audit/contact-views', expected: onlyAdmin },
  {
    call: 'POST /users',
    body: ({ unique }) => ({ name: 'Somebody new', email: `made${unique}@example.com` }),
    expected: [loggedIn, 403, 403, 403, 403, 201, 403],
  },
  {
    call: 'GET /users/:id',
    when: 'of another',
    object: 'foreign account',
    expected: [loggedIn, 404, 404, 404, 404, 200, 403],
  },
  { call: 'GET /users/:id', when: 'of oneself', object: 'own account', expected: active },
  { call: 'DELETE /users/:id', object: 'spare account', expected: [loggedIn, 403, 403, 403, 403, 204, 403] },
  {
    call: 'POST /users/:id/reset-link',
    when: 'of another',
    object: 'foreign account',
    expected: [loggedIn, 403, 403, 403, 403, 201, 403],
  },
  {
    call: 'POST /users/:id/reset-link',
    when: 'of oneself',
    object: 'own account',
    expected: [loggedIn, 403, 403, 403, 403, 201, 403],
  },
  {
    call: 'POST /users/:id/invitation',
    when: 'no mail server is set up',
    object: 'foreign account',
    expected: [loggedIn, 403, 403, 403, 403, 409, 403],
  },
  {
    call: 'DELETE /users/:id/totp',
    object: 'foreign account',
    expected: [loggedIn, 403, 403, 403, 403, 204, 403],
  },
  { call: 'GET /users/:id/deliveries/summary', object: 'foreign account', expected: onlyAdmin },
  { call: 'GET /users/:id/sessions', object: 'foreign account', expected: onlyAdmin },
  {
    call: 'DELETE /users/:id/sessions',
    object: 'spare account',
    expected: [loggedIn, 403, 403, 403, 403, 204, 403],
  },
  {
    call: 'DELETE /users/:id/sessions/:sessionId',
    object: 'session',
    expected: [loggedIn, 403, 403, 403, 403, 204, 403],
  },
  { call: 'GET /users/export', expected: onlyAdmin },
  {
    call: 'PUT /users/:id',
    when: 'of another',
    object: 'foreign account',
    body: () => ({ name: 'New name' }),
    expected: onlyAdmin,
  },
  {
    call: 'PUT /users/:id',
    when: 'of oneself',
    object: 'own account',
    body: () => ({ name: 'New name' }),
    expected: onlyAdmin,
  },
  { call: 'GET /users/package/:id/driver', object: 'in transit', expected: itsOwner },
  { call: 'GET /users/driver/:id/info', object: 'its driver', expected: [loggedIn, 200, 404, 200, 404, 200, 403] },

  { call: 'GET /roles', expected: onlyAdmin },
  {
    call: 'POST /roles',
    body: ({ unique }) => ({ name: `Role ${unique}`, permissions: ['packages.read'] }),
    expected: [loggedIn, 403, 403, 403, 403, 201, 403],
  },
  { call: 'PUT /roles/:id', object: 'role', body: () => ({ isActive: false }), expected: onlyAdmin },
  { call: 'DELETE /roles/:id', object: 'role', expected: [loggedIn, 403, 403, 403, 403, 204, 403] },

  { call: 'POST /packages', body: () => packageInput(), expected: [loggedIn, 201, 201, 403, 403, 201, 403] },
  { call: 'GET /packages', expected: onlyAdmin },
  {
    call: 'GET /packages/user/:id',
    when: 'of another',
    object: 'foreign account',
    expected: [loggedIn, 404, 404, 404, 404, 200, 403],
  },
  { call: 'GET /packages/user/:id', when: 'of oneself', object: 'own account', expected: active },
  {
    call: 'GET /packages/user/:id/summary',
    when: 'of another',
    object: 'foreign account',
    expected: [loggedIn, 404, 404, 404, 404, 200, 403],
  },
  { call: 'GET /packages/user/:id/summary', when: 'of oneself', object: 'own account', expected: active },
  // Foreign packages are refused in the reply, as unknown ones: see packages/bulk.test.ts.
  ...(['cancel', 'delete'] as const).map((action): Row => ({
    call: 'POST /packages/bulk',
    when: action,
    object: 'pending',
    body: ({ object }) => ({ action, packageIds: [object] }),
    expected: importers,
  })),
  {
    call: 'POST /packages/labels',
    object: 'pending',
    body: ({ object }) => ({ packageIds: [object], size: 'label' }),
    expected: itsOwner,
  },
  {
    call: 'POST /packages/import',
    csv: oneRow,
    expected: creators,
  },
  { call: 'POST /packages/import/preview', csv: oneRow, expected: importers },
  { call: 'GET /packages/import/template', expected: importers },
  { call: 'GET /packages/imports', expected: importers },
  { call: 'GET /packages/imports/:id', object: 'import', expected: [loggedIn, 200, 404, 403, 403, 404, 403] },
  { call: 'GET /packages/export', expected: onlyAdmin },
  {
    call: 'GET /packages/user/:id/export',
    when: 'of another',
    object: 'foreign account',
    expected: [loggedIn, 404, 404, 404, 404, 200, 403],
  },
  { call: 'GET /packages/user/:id/export', when: 'of oneself', object: 'own account', expected: active },
  { call: 'GET /packages/:id', object: 'pending', expected: itsOwner },
  { call: 'GET /packages/:id', object: 'in transit', expected: itsOwner },
  { call: 'GET /packages/:id/attempts', object: 'pending', expected: itsOwner },
  { call: 'GET /packages/:id/attempts', object: 'in transit', expected: itsOwner },
  { call: 'GET /packages/:id/proposed-day', object: 'pending', expected: itsOwner },
  { call: 'GET /deliveries/:id/proposed-day', object: 'pending', expected: [loggedIn, 403, 403, 409, 409, 200, 403] },
  {
    call: 'GET /deliveries/:id/proposed-day',
    object: 'in transit',
    expected: [loggedIn, 403, 403, 200, 404, 200, 403],
  },
  { call: 'GET /packages/:id/events', object: 'pending', expected: itsOwner },
  { call: 'GET /packages/:id/events', object: 'in transit', expected: itsOwner },
  {
    call: 'PUT /packages/:id',
    when: 'content',
    object: 'pending',
    body: () => ({ name: 'New name' }),
    expected: [loggedIn, 200, 404, 403, 403, 200, 403],
  },
  {
    call: 'PUT /packages/:id',
    when: 'cancel',
    object: 'pending',
    body: () => ({ status: 'cancelled' }),
    expected: [loggedIn, 200, 404, 403, 403, 200, 403],
  },
  {
    call: 'PUT /packages/:id',
    when: 'delete',
    object: 'pending',
    body: () => ({ status: 'inactive' }),
    expected: [loggedIn, 200, 404, 403, 403, 200, 403],
  },
  {
    call: 'PUT /packages/:id',
    when: 'delete',
    object: 'in transit',
    body: () => ({ status: 'inactive' }),
    expected: [loggedIn, 409, 404, 403, 403, 409, 403],
  },
  {
    call: 'PUT /packages/:id/place',
    when: 'without an address',
    object: 'pending',
    body: () => ({ lon: 10, lat: 53.5 }),
    expected: [loggedIn, 409, 404, 404, 404, 409, 403],
  },
  {
    call: 'PUT /packages/:id/place',
    when: 'without an address',
    object: 'in transit',
    body: () => ({ lon: 10, lat: 53.5 }),
    expected: [loggedIn, 409, 404, 409, 404, 409, 403],
  },
  {
    call: 'POST /packages/:id/images',
    object: 'pending',
    form: onePixel,
    expected: [loggedIn, 201, 404, 403, 403, 201, 403],
  },
  {
    call: 'POST /packages/:id/images',
    object: 'in transit',
    form: onePixel,
    expected: [loggedIn, 409, 404, 403, 403, 409, 403],
  },
  {
    call: 'POST /packages/:id/issue',
    object: 'in transit',
    body: () => ({ issue: 'It is late' }),
    expected: [loggedIn, 200, 404, 403, 403, 403, 403],
  },

  { call: 'GET /packages/available', expected: claimers },
  { call: 'GET /deliveries', expected: claimers },
  { call: 'GET /deliveries/driver', expected: onlyDrivers },
  { call: 'GET /deliveries/driver/completed', expected: onlyDrivers },
  { call: 'GET /deliveries/driver/summary', expected: onlyDrivers },
  { call: 'GET /deliveries/owner', expected: [loggedIn, 200, 200, 403, 403, 403, 403] },
  { call: 'POST /deliveries/:id/start', object: 'pending', expected: [loggedIn, 403, 403, 200, 200, 403, 403] },
  { call: 'POST /deliveries/:id/start', object: 'in transit', expected: [loggedIn, 403, 403, 200, 409, 403, 403] },
  { call: 'POST /deliveries/:id/next', object: 'pending', expected: [loggedIn, 403, 403, 409, 409, 403, 403] },
  { call: 'POST /deliveries/:id/next', object: 'in transit', expected: [loggedIn, 403, 403, 200, 404, 403, 403] },
  {
    call: 'POST /deliveries/:id/location',
    object: 'pending',
    body: () => ({ location: 'Motorway services' }),
    expected: [loggedIn, 403, 403, 409, 409, 403, 403],
  },
  {
    call: 'POST /deliveries/:id/location',
    object: 'in transit',
    body: () => ({ location: 'Motorway services' }),
    expected: [loggedIn, 403, 403, 200, 404, 403, 403],
  },
  { call: 'POST /deliveries/:id/arrive', object: 'pending', expected: [loggedIn, 403, 403, 409, 409, 403, 403] },
  { call: 'POST /deliveries/:id/arrive', object: 'in transit', expected: [loggedIn, 403, 403, 200, 404, 403, 403] },
  { call: 'POST /deliveries/:id/not-there', object: 'pending', expected: [loggedIn, 403, 403, 409, 409, 403, 403] },
  { call: 'POST /deliveries/:id/not-there', object: 'in transit', expected: [loggedIn, 403, 403, 200, 404, 403, 403] },
  {
    call: 'POST /deliveries/complete',
    object: 'pending',
    body: ({ object }) => ({ deliveryIds: [object] }),
    expected: [loggedIn, 403, 403, 409, 409, 403, 403],
  },
  {
    call: 'POST /deliveries/complete',
    object: 'in transit',
    body: ({ object }) => ({ deliveryIds: [object] }),
    expected: [loggedIn, 403, 403, 200, 404, 403, 403],
  },
  { call: 'POST /deliveries/:id/complete', object: 'pending', expected: [loggedIn, 403, 403, 409, 409, 403, 403] },
  { call: 'POST /deliveries/:id/complete', object: 'in transit', expected: [loggedIn, 403, 403, 200, 404, 403, 403] },
  {
    call: 'POST /deliveries/:id/fail',
    object: 'pending',
    body: () => ({ reason: 'Nobody home' }),
    expected: [loggedIn, 403, 403, 409, 409, 409, 403],
  },
  {
    call: 'POST /deliveries/:id/fail',
    object: 'in transit',
    body: () => ({ reason: 'Nobody home' }),
    expected: [loggedIn, 403, 403, 200, 404, 200, 403],
  },
  {
    call: 'POST /deliveries/:id/assign',
    object: 'pending',
    body: ({ driver }) => ({ driverId: driver.id }),
    expected: onlyAdmin,
  },
  {
    call: 'POST /deliveries/:id/assign',
    object: 'in transit',
    body: ({ otherDriver }) => ({ driverId: otherDriver.id }),
    expected: onlyAdmin,
  },
  {
    call: 'POST /deliveries/:id/issue',
    object: 'in transit',
    body: () => ({ issue: 'A flat tyre' }),
    expected: [loggedIn, 403, 403, 200, 404, 403, 403],
  },
  {
    call: 'POST /deliveries/:id/issue',
    when: 'that nobody has started',
    object: 'pending',
    body: () => ({ issue: 'A flat tyre' }),
    expected: [loggedIn, 403, 403, 409, 409, 403, 403],
  },

  { call: 'POST /packages/:id/collected', object: 'pending', expected: onlyAdmin },
  { call: 'POST /packages/:id/collected', object: 'in transit', expected: [loggedIn, 403, 403, 403, 403, 409, 403] },
  {
    call: 'POST /deliveries/:id/release-pin',
    object: 'in transit',
    expected: [loggedIn, 403, 403, 403, 403, 409, 403],
  },
  {
    call: 'POST /deliveries/:id/reopen',
    object: 'delivered',
    body: () => ({ reason: 'Wrong door' }),
    expected: onlyAdmin,
  },
  {
    call: 'POST /deliveries/:id/reopen',
    object: 'in transit',
    body: () => ({ reason: 'Wrong door' }),
    expected: [loggedIn, 403, 403, 403, 403, 409, 403],
  },
  {
    call: 'POST /packages/:id/next-step',
    when: 'without a failed attempt',
    object: 'pending',
    body: () => ({ kind: 'again' }),
    expected: [loggedIn, 409, 404, 403, 403, 409, 403],
  },
  { call: 'GET /packages/:id/receipt', object: 'in transit', expected: [loggedIn, 409, 404, 404, 404, 409, 403] },
  { call: 'GET /packages/:id/receipt', object: 'delivered', expected: itsOwner },
  { call: 'GET /packages/:id/proof', object: 'in transit', expected: [loggedIn, 409, 404, 404, 404, 409, 403] },
  { call: 'GET /packages/:id/proof', object: 'delivered', expected: itsOwner },
  {
    call: 'POST /packages/:id/rating',
    object: 'in transit',
    body: () => ({ stars: 5 }),
    expected: [loggedIn, 409, 404, 403, 403, 403, 403],
  },
  {
    call: 'POST /packages/:id/rating',
    object: 'delivered',
    body: () => ({ stars: 5 }),
    expected: [loggedIn, 201, 404, 403, 403, 403, 403],
  },

  { call: 'GET /incidents/export', expected: active },
  { call: 'GET /incidents', expected: active },
  { call: 'GET /incidents/:id', object: 'incident', expected: [loggedIn, 200, 404, 200, 404, 200, 403] },
  { call: 'PUT /incidents/:id', object: 'incident', body: () => ({ status: 'Resolved' }), expected: onlyAdmin },

  { call: 'GET /track/:id', object: 'in transit', expected: everybody },
  { call: 'GET /track/:id/live', object: 'in transit', expected: everybody },
  {
    call: 'POST /track/:id/message',
    object: 'in transit',
    body: ({ unique }) => ({ text: `Question number ${unique}`, replyTo: 'vera@example.com' }),
    expected: [201, 201, 201, 201, 201, 201, 201],
  },
  {
    call: 'POST /track/:id/access',
    when: 'with a guess',
    object: 'in transit',
    body: () => ({ key: 'guess' }),
    expected: [404, 404, 404, 404, 404, 404, 404],
  },
  // Whoever has the recipient's token: see recipients/recipients.test.ts.
  { call: 'GET /track/:id/recipient', object: 'in transit', expected: [401, 401, 401, 401, 401, 401, 401] },
  {
    call: 'POST /track/:id/rating',
    object: 'in transit',
    body: () => ({ stars: 5 }),
    expected: [401, 401, 401, 401, 401, 401, 401],
  },
  {
    call: 'POST /track/:id/changes',
    object: 'in transit',
    body: () => ({ kind: 'instructions', text: 'Ring twice' }),
    expected: [401, 401, 401, 401, 401, 401, 401],
  },
  {
    call: 'DELETE /track/:id/changes/:changeId',
    object: 'in transit',
    expected: [401, 401, 401, 401, 401, 401, 401],
  },
  { call: 'GET /packages/:id/link', object: 'pending', expected: itsOwner },
  { call: 'POST /packages/:id/link', object: 'pending', expected: itsOwner },
  {
    call: 'POST /deliveries/:id/acknowledge',
    object: 'in transit',
    expected: [loggedIn, 403, 403, 200, 404, 403, 403],
  },
  { call: 'GET /live', expected: active },

  { call: 'GET /shifts', expected: onlyAdmin },
  { call: 'GET /shifts/driver', expected: onlyDrivers },
  { call: 'GET /shifts/drivers', expected: onlyAdmin },
  {
    call: 'POST /shifts',
    body: ({ driver, unique }) => shiftOf(driver, unique),
    expected: [loggedIn, 403, 403, 403, 403, 201, 403],
  },
  { call: 'POST /shifts/copy', body: () => ({ week: '2026-01-05', zone: 'Europe/Berlin' }), expected: onlyAdmin },
  {
    call: 'PUT /shifts/:id',
    object: 'shift',
    body: ({ driver, unique }) => shiftOf(driver, unique),
    expected: onlyAdmin,
  },
  { call: 'GET /absences', expected: onlyAdmin },
  { call: 'GET /absences/driver', expected: onlyDrivers },
  {
    call: 'POST /absences',
    body: ({ driver, unique }) => ({ ...absenceOn(unique), driverId: driver.id }),
    expected: [loggedIn, 403, 403, 403, 403, 201, 403],
  },
  {
    call: 'POST /absences/driver',
    body: ({ unique }) => absenceOn(unique),
    expected: [loggedIn, 403, 403, 201, 201, 403, 403],
  },
  {
    call: 'PUT /absences/:id',
    object: 'absence',
    body: ({ unique }) => absenceOn(unique),
    expected: [loggedIn, 403, 403, 200, 404, 200, 403],
  },
  { call: 'DELETE /absences/:id', object: 'absence', expected: [loggedIn, 403, 403, 204, 404, 204, 403] },
  { call: 'DELETE /shifts/:id', object: 'shift', expected: [loggedIn, 403, 403, 403, 403, 204, 403] },

  { call: 'GET /routes', expected: claimers },
  { call: 'GET /routes/lanes', expected: onlyAdmin },
  { call: 'GET /routes/mine', expected: onlyDrivers },
  {
    call: 'POST /routes',
    body: ({ driver, depot }) => ({ day: '2030-01-01', depotId: depot, driverId: driver.id, confirm: true }),
    expected: [loggedIn, 403, 403, 403, 403, 201, 403],
  },
  { call: 'GET /routes/:id', object: 'planned route', expected: [loggedIn, 403, 403, 200, 404, 200, 403] },
  { call: 'GET /routes/:id', object: 'started route', expected: [loggedIn, 403, 403, 200, 404, 200, 403] },
  {
    call: 'POST /routes/:id/offers',
    object: 'started route',
    body: ({ driver }) => ({ packageIds: [driver.id], driverId: driver.id }),
    expected: [loggedIn, 403, 403, 422, 404, 403, 403],
  },
  {
    call: 'PUT /routes/:id',
    when: 'the driver',
    object: 'planned route',
    body: ({ driver }) => ({ driverId: driver.id, confirm: true, version: anyVersion }),
    expected: [loggedIn, 403, 403, 403, 404, 200, 403],
  },
  {
    call: 'PUT /routes/:id',
    when: 'the order, without one of its stops',
    object: 'planned route',
    body: () => ({ order: [], version: anyVersion }),
    expected: [loggedIn, 403, 403, 422, 404, 422, 403],
  },
  { call: 'DELETE /routes/:id', object: 'planned route', expected: [loggedIn, 403, 403, 403, 403, 204, 403] },
  {
    call: 'POST /routes/:id/stops',
    object: 'planned route',
    body: ({ driver }) => ({ packageIds: [driver.id] }),
    expected: onlyAdmin,
  },
  {
    call: 'POST /routes/:id/move',
    object: 'planned route',
    body: ({ driver }) => ({ packageIds: [driver.id], to: null }),
    expected: onlyAdmin,
  },
  {
    call: 'POST /routes/:id/propose-order',
    object: 'planned route',
    expected: [loggedIn, 403, 403, 200, 404, 200, 403],
  },
  {
    call: 'POST /routes/:id/optimize',
    when: 'none of its stops has a place',
    object: 'planned route',
    expected: [loggedIn, 403, 403, 409, 404, 409, 403],
  },
  {
    call: 'GET /routes/insertions',
    query:
      '?packageId=019a0000-0000-7000-8000-000000000000&day=2030-01-01&depotId=019a0000-0000-7000-8000-000000000000',
    expected: [loggedIn, 403, 403, 403, 403, 404, 403],
  },
  {
    call: 'POST /routes/:id/insert',
    object: 'planned route',
    body: ({ driver }) => ({ packageId: driver.id, before: null, version: 1 }),
    expected: [loggedIn, 403, 403, 403, 403, 409, 403],
  },
  {
    call: 'POST /plans',
    when: 'there is no such depot',
    body: ({ driver }) => ({ day: '2030-01-01', depotId: driver.id }),
    expected: [loggedIn, 403, 403, 403, 403, 422, 403],
  },
  { call: 'GET /plans/:id', object: 'depot', expected: [loggedIn, 403, 403, 403, 403, 404, 403] },
  {
    call: 'PUT /plans/:id',
    object: 'depot',
    body: () => ({ version: 1, routes: [] }),
    expected: [loggedIn, 403, 403, 403, 403, 404, 403],
  },
  { call: 'POST /plans/:id/apply', object: 'depot', expected: [loggedIn, 403, 403, 403, 403, 404, 403] },
  { call: 'DELETE /plans/:id', object: 'depot', expected: [loggedIn, 403, 403, 403, 403, 404, 403] },
  { call: 'POST /routes/:id/start', object: 'started route', expected: [loggedIn, 403, 403, 200, 404, 200, 403] },
  { call: 'POST /routes/:id/finish', object: 'planned route', expected: [loggedIn, 403, 403, 409, 404, 409, 403] },
  { call: 'POST /routes/:id/finish', object: 'started route', expected: [loggedIn, 403, 403, 200, 404, 200, 403] },

  {
    call: 'POST /depots/:id/packages',
    object: 'depot',
    body: () => ({ trackingIds: ['PKG-00000000'] }),
    expected: onlyAdmin,
  },
  { call: 'GET /routes/colleagues', expected: onlyDrivers },
  { call: 'GET /routes/offers', expected: onlyAdmin },
  { call: 'GET /offers', expected: onlyDrivers },
  { call: 'POST /offers/:id/accept', object: 'offer', expected: [loggedIn, 403, 403, 200, 404, 403, 403] },
  { call: 'POST /offers/:id/decline', object: 'offer', expected: [loggedIn, 403, 403, 200, 404, 403, 403] },
  { call: 'DELETE /offers/:id', object: 'offer', expected: [loggedIn, 403, 403, 404, 404, 403, 403] },
  { call: 'GET /routes/busy', query: '?day=2030-01-01', expected: onlyAdmin },
  { call: 'GET /routes/waiting', expected: onlyAdmin },
  { call: 'GET /routes/waiting/packages', expected: onlyAdmin },
  { call: 'GET /routes/waiting/map', expected: onlyAdmin },
  { call: 'GET /packages/map', query: '?bbox=9,53,10,54', expected: onlyAdmin },
  { call: 'POST /routes/waiting/select', body: () => ({ all: true }), expected: onlyAdmin },
  {
    call: 'POST /routes/split',
    when: 'none of the packages waits',
    body: ({ driver, depot }) => ({
      day: '2030-01-01',
      depotId: depot,
      routes: 1,
      selection: { packageIds: [driver.id] },
    }),
    expected: [loggedIn, 403, 403, 403, 403, 422, 403],
  },
  {
    call: 'POST /routes/reassign',
    when: 'to no route',
    body: ({ driver }) => ({ driverId: driver.id, day: '2030-01-01', to: [driver.id] }),
    expected: [loggedIn, 403, 403, 403, 403, 422, 403],
  },

  { call: 'GET /places', query: '?q=harbour', expected: active },
  { call: 'GET /places/reverse', query: '?lon=10&lat=53.5', expected: active },
  { call: 'GET /addresses', expected: importers },
  {
    call: 'POST /addresses',
    body: ({ unique }) => ({ street: `Am Kai ${unique}`, city: 'Hamburg' }),
    expected: creators,
  },
  {
    call: 'PUT /addresses/:id',
    object: 'address',
    body: ({ unique }) => ({ street: `Am Kai ${unique}`, city: 'Hamburg' }),
    expected: [loggedIn, 200, 404, 403, 403, 404, 403],
  },
  { call: 'DELETE /addresses/:id', object: 'address', expected: [loggedIn, 204, 404, 403, 403, 404, 403] },
  { call: 'GET /depots', expected: active },
  {
    call: 'POST /depots',
    body: ({ unique }) => ({ name: `Depot ${unique}`, timeZone: 'Europe/Berlin' }),
    expected: [loggedIn, 403, 403, 403, 403, 201, 403],
  },
  {
    call: 'PUT /depots/:id',
    object: 'depot',
    body: ({ unique }) => ({ name: `Depot ${unique}`, timeZone: 'Europe/Berlin' }),
    expected: onlyAdmin,
  },
  { call: 'DELETE /depots/:id', object: 'depot', expected: [loggedIn, 403, 403, 403, 403, 204, 403] },

  { call: 'GET /map', expected: onlyAdmin },
  {
    call: 'POST /map/uploads',
    when: 'of no extract',
    body: () => ({ name: 'hamburg.zip', size: 1000 }),
    expected: [loggedIn, 403, 403, 403, 403, 422, 403],
  },
  {
    call: 'PUT /map/uploads/:id/parts/:part',
    object: 'map upload',
    form: () => {
      const form = new FormData();
      form.append('part', new File([extractStart], 'part'));
      return form;
    },
    expected: onlyAdmin,
  },
  {
    call: 'POST /map/uploads/:id/finish',
    when: 'nothing has arrived',
    object: 'map upload',
    expected: [loggedIn, 403, 403, 403, 403, 409, 403],
  },
  { call: 'DELETE /map/uploads/:id', object: 'map upload', expected: [loggedIn, 403, 403, 403, 403, 204, 403] },
  {
    call: 'DELETE /map/extract',
    when: 'there is none',
    expected: [loggedIn, 403, 403, 403, 403, 404, 403],
  },

  { call: 'GET /inventory', expected: onlyAdmin },
  { call: 'GET /inventory/packages', expected: onlyAdmin },
  { call: 'GET /inventory/export', expected: onlyAdmin },

  { call: 'GET /settings', expected: onlyAdmin },
  { call: 'PUT /settings', body: () => ({ organisationName: 'Waybill' }), expected: onlyAdmin },
  { call: 'GET /organisation', expected: everybody },

  { call: 'GET /templates', expected: onlyAdmin },
  { call: 'GET /templates/:kind/:language', expected: onlyAdmin },
  {
    call: 'PUT /templates/:kind/:language',
    body: () => ({ subject: 'Da', paragraphs: ['{packageName} ist da.'] }),
    expected: onlyAdmin,
  },
  { call: 'DELETE /templates/:kind/:language', expected: [loggedIn, 403, 403, 403, 403, 204, 403] },
  {
    call: 'POST /templates/:kind/:language/preview',
    body: () => ({ subject: 'Da', paragraphs: ['{packageName} ist da.'] }),
    expected: onlyAdmin,
  },
  {
    call: 'POST /templates/:kind/:language/test',
    body: () => ({ subject: 'Da', paragraphs: ['{packageName} ist da.'] }),
    expected: [loggedIn, 403, 403, 403, 403, 409, 403],
  },

  { call: 'GET /stats', expected: onlyAdmin },
  { call: 'GET /stats/performance', expected: onlyAdmin },
  { call: 'GET /stats/rows', query: '?figure=totalPackages', expected: onlyAdmin },
  { call: 'GET /stats/needs', expected: onlyAdmin },
  { call: 'GET /stats/events', expected: onlyAdmin },
  { call: 'GET /stats/breakdown', query: '?by=driver&from=2026-01-01&to=2026-01-31', expected: onlyAdmin },
  { call: 'GET /stats/breakdown/export', query: '?by=town&from=2026-01-01&to=2026-01-31', expected: onlyAdmin },
  { call: 'GET /stats/mine', query: '?from=2026-01-01&to=2026-01-31', expected: active },

  { call: 'GET /notifications', expected: active },
  { call: 'POST /notifications/:id/read', object: 'notification', expected: [loggedIn, 200, 404, 404, 404, 404, 403] },
  { call: 'GET /notifications/preferences', expected: active },
  {
    call: 'PUT /notifications/preferences',
    body: () => ({ inApp: [{ kind: 'delivery.next', on: true }] }),
    expected: active,
  },
  { call: 'GET /positions', expected: onlyAdmin },
  { call: 'GET /positions/map', expected: onlyAdmin },
  { call: 'GET /positions/stops', expected: onlyAdmin },
  { call: 'GET /positions/drivers', expected: onlyAdmin },
  { call: 'GET /stats/arrivals', expected: onlyAdmin },
  {
    call: 'POST /positions',
    when: 'without consent',
    body: () => ({ positions: [{ at: new Date().toISOString(), lon: 13.4, lat: 52.5 }] }),
    expected: [loggedIn, 403, 403, 409, 409, 403, 403],
  },
  { call: 'GET /positions/consent', expected: onlyDrivers },
  { call: 'PUT /positions/consent', body: () => ({ agreed: false }), expected: onlyDrivers },
  {
    call: 'POST /push',
    body: ({ unique }) => ({
      endpoint: `https://push.example.com/${unique}`,
      keys: { p256dh: pushKey, auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
    }),
    expected: [loggedIn, 204, 204, 204, 204, 204, 403],
  },
  { call: 'DELETE /push', expected: [loggedIn, 204, 204, 204, 204, 204, 403] },
  { call: 'GET /notifications/sent', expected: onlyAdmin },
  { call: 'GET /notifications/sent/export', expected: onlyAdmin },
  { call: 'GET /notifications/sent/:id', object: 'failed notification', expected: onlyAdmin },
  { call: 'POST /notifications/sent/:id/retry', object: 'failed notification', expected: onlyAdmin },

  {
    call: 'POST /contact',
    body: ({ unique }) => ({ name: 'Vera Visitor', email: 'vera@example.com', message: `Question number ${unique}` }),
    expected: [201, 201, 201, 201, 201, 201, 201],
  },
  { call: 'GET /messages', expected: onlyAdmin },
  { call: 'PUT /messages/:id', object: 'message', body: () => ({ status: 'Resolved' }), expected: onlyAdmin },

  { call: 'POST /notifications/read-all', expected: [loggedIn, 204, 204, 204, 204, 204, 403] },
];

const pushKey = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';

interface World {
  /** The owner of the object. */
  subject: TestUser;
  /** The id of the object. */
  object: string;
  driver: TestUser;
  otherDriver: TestUser;
  depot: string;
  unique: number;
}

let product: TestProduct;
let url: string;
let unique = 0;
let firstDepot = '';
const accounts: Partial<Record<string, TestUser>> = {};
const actor = (name: string): TestUser => {
  const user = accounts[name];
  if (!user) throw new Error(`nobody is called ${name}`);
  return user;
};

const barredAccounts: [name: string, role: Role, status: UserStatus][] = [
  ['suspendedOwner', 'owner', 'suspended'],
  ['inactiveOwner', 'owner', 'inactive'],
  ['suspendedDriver', 'driver', 'suspended'],
  ['inactiveDriver', 'driver', 'inactive'],
  ['suspendedAdmin', 'admin', 'suspended'],
];

beforeAll(async () => {
  product = await openTestProduct();
  url = await product.listen();
  for (const [name, role] of [
    ['owner', 'owner'],
    ['otherOwner', 'owner'],
    ['driver', 'driver'],
    ['otherDriver', 'driver'],
    ['admin', 'admin'],
    ...barredAccounts,
  ] as [string, Role][]) {
    accounts[name] = await product.register(role);
  }
  firstDepot = (await actor('admin').api.depots.list())[0]?.id ?? '';
  for (const [name, , status] of barredAccounts) await setStatus(actor(name), status);
});
afterAll(() => product.close());

const setStatus = (user: TestUser, status: UserStatus) =>
  actor('admin').api.users.update({ params: { id: user.id }, body: { status } });

const isBarred = (name: string) => barredAccounts.some(([barred]) => barred === name);

/** Runs `work` while these accounts are active, then bars them again. */
async function withRights<T>(names: string[], work: () => Promise<T>): Promise<T> {
  const barred = barredAccounts.filter(([name]) => names.includes(name));
  for (const [name] of barred) await setStatus(actor(name), 'active');
  const result = await work();
  for (const [name, , status] of barred) await setStatus(actor(name), status);
  return result;
}

async function makeRoute(ownerName: string, driver: TestUser, isStarted: boolean) {
  const { api } = actor('admin');
  // A driver has one started route at a time.
  for (const { id, state } of (await api.routes.list({ query: { driverId: driver.id } })).items)
    if (state === 'started') await api.routes.finish({ params: { id } });
  const { id } = await api.routes.create({
    body: { day: '2030-01-01', depotId: firstDepot, driverId: driver.id, confirm: true },
  });
  const pkg = await createPackage(actor(ownerName));
  await api.routes.addStops({ params: { id }, body: { packageIds: [pkg.id] } });
  if (isStarted) await api.routes.start({ params: { id } });
  return { id, packageId: pkg.id };
}

async function makePackage(ownerName: string, driverName: string, state: Row['object']) {
  const pkg = await createPackage(actor(ownerName));
  if (state !== 'pending') await actor(driverName).api.deliveries.start({ params: { id: pkg.id } });
  if (state === 'delivered') await actor(driverName).api.deliveries.complete({ params: { id: pkg.id } });
  return pkg;
}

const sharedObjects = new Map<string, Promise<string>>();

/** The object for a call. Reads and calls that must be refused do not change it, so they share one between rows. */
function objectFor(row: Row, { owner, driver, caller, expected }: Case): Promise<string> {
  const make = () => withRights([owner, driver], () => makeObject(row, { owner, driver, caller }));
  const changes = expected < 400 && !row.call.startsWith('GET');
  if (changes || /account|session/.test(row.object ?? '')) return make();
  const key = [row.object, row.call.includes('/track/') && 'tracking ID', owner, driver].join(' ');
  const object = sharedObjects.get(key) ?? make();
  sharedObjects.set(key, object);
  return object;
}

async function makeObject(
  row: Row,
  { owner, driver, caller }: { owner: string; driver: string; caller: string },
): Promise<string> {
  switch (row.object) {
    case undefined:
      return '';
    case 'own account':
      return actor(caller === 'nobody' ? owner : caller).id;
    case 'foreign account':
      return actor(owner === caller ? 'otherOwner' : owner).id;
    case 'spare account':
      return (await product.register('owner')).id;
    case 'role': {
      const body = { name: `Spare role ${unique++}`, permissions: [] };
      return (await actor('admin').api.roles.create({ body })).id;
    }
    case 'shift':
      return (await actor('admin').api.shifts.create({ body: shiftOf(actor(driver), unique++) })).id;
    case 'absence': {
      const body = { ...absenceOn(unique++), driverId: actor(driver).id };
      return (await actor('admin').api.absences.create({ body })).id;
    }
    case 'depot': {
      const body = { name: `Spare depot ${unique++}`, timeZone: 'UTC' };
      return (await actor('admin').api.depots.create({ body })).id;
    }
    case 'address':
      return (await actor(owner).api.addresses.create({ body: { street: `Am Kai ${unique++}`, city: 'Bremen' } })).id;
    case 'map upload': {
      // There is one at a time.
      await product.ctx.db.query("update map_uploads set state = 'cancelled' where state = 'uploading'");
      const body = { name: 'hamburg.osm.pbf', size: extractStart.length };
      return (await actor('admin').api.map.begin({ body })).id;
    }
    case 'planned route':
    case 'started route':
      return (await makeRoute(owner, actor(driver), row.object === 'started route')).id;
    // From another driver to this one, who has a started route.
    case 'offer': {
      const from = await product.register('driver');
      await makeRoute(owner, actor(driver), true);
      const { id, packageId } = await makeRoute(owner, from, true);
      const body = { packageIds: [packageId], driverId: actor(driver).id };
      return (await from.api.offers.create({ params: { id }, body })).id;
    }
    case 'its driver':
      await makePackage(owner, driver, 'in transit');
      return actor(driver).id;
    case 'session': {
      await product.api().auth.login({ body: { email: actor(owner).email, password } });
      const sessions = await actor(owner).api.users.sessions();
      return sessions.find((session) => !session.current)?.id ?? '';
    }
    case 'import':
      return (await actor(owner).api.packages.import({ body: oneRow })).id;
    case 'notification': {
      await makePackage(owner, driver, 'in transit');
      return await newestNotification(actor(owner));
    }
    case 'message': {
      const message = `Question of ${unique++}`;
      await product.api().contact.send({ body: { name: 'Vera Visitor', email: 'vera@example.com', message } });
      const { items } = await actor('admin').api.contact.list({ query: { limit: 1 } });
      return String(items[0]?.id);
    }
    case 'failed notification': {
      const { id } = await makePackage(owner, driver, 'in transit');
      return await createDeadLetter(product, id);
    }
    case 'incident': {
      const { id } = await makePackage(owner, driver, 'in transit');
      await actor(driver).api.incidents.reportOnDelivery({ params: { id }, body: { issue: 'A flat tyre' } });
      const { items } = await actor(driver).api.incidents.list({ query: { limit: 1 } });
      return String(items[0]?.id);
    }
    default: {
      const pkg = await makePackage(owner, driver, row.object);
      return row.call.includes('/track/') ? pkg.trackingId : pkg.id;
    }
  }
}

async function newestNotification(owner: TestUser): Promise<string> {
  for (;;) {
    const { items } = await owner.api.notifications.list({ query: { unread: true } });
    if (items[0]) return items[0].id;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function statusOf(row: Row, one: Case): Promise<number> {
  const id = await objectFor(row, one);
  const abort = new AbortController();
  const response = await send(row, { ...one, id, signal: abort.signal });
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) abort.abort();
  else await response.arrayBuffer();
  return response.status;
}

async function send(
  row: Row,
  { caller, owner, id, signal }: { caller: string; owner: string; id: string; signal: AbortSignal },
): Promise<Response> {
  const [method = '', path = ''] = row.call.split(' ');
  const world: World = {
    subject: actor(owner),
    object: id,
    driver: actor('driver'),
    otherDriver: actor('otherDriver'),
    depot: firstDepot,
    unique: unique++,
  };
  const headers: Record<string, string> = {};
  if (caller !== 'nobody') headers.authorization = `Bearer ${await tokenFor(row, caller)}`;
  if (row.body) headers['content-type'] = 'application/json';
  if (row.csv) headers['content-type'] = 'text/csv';
  // With two ids in the path, the first is the owner's and the last the object's.
  const address = path.includes(':sessionId')
    ? path.replace(':sessionId', id).replace(':id', world.subject.id)
    : path
        .replace(':id', id)
        .replace(':kind', 'owner.delivery.completed')
        .replace(':language', 'de')
        .replace(':part', '0');
  return fetch(`${url}/api${address}${row.query ?? ''}`, {
    method,
    headers,
    signal,
    ...(row.body && { body: JSON.stringify(row.body(world)) }),
    ...(row.form && { body: row.form() }),
    ...(row.csv && { body: row.csv }),
  });
}

/** Calls that end sessions get a separate session, so that the account's first one stays valid. */
async function tokenFor(row: Row, caller: string): Promise<string> {
  if (!/logout|password/.test(row.call)) return actor(caller).token;
  const { token } = await product.api().auth.login({ body: { email: actor(caller).email, password } });
  // A new password ends all other sessions, so this one replaces the first.
  if (row.call.includes('password')) accounts[caller] = { ...actor(caller), token, api: product.api(token) };
  return token;
}

interface Case {
  caller: string;
  owner: string;
  driver: string;
  expected: number;
}

/** All callers of a row, with the object's owner and driver, and the expected status. */
function casesOf(row: Row): Case[] {
  const [nobody, owner, otherOwner, driver, otherDriver, admin, barred] = row.expected;
  const its = { owner: 'owner', driver: 'driver' };
  // For administrators an own object is like a foreign one, except for objects that only their owner may access.
  const ownAdmin =
    row.object === 'session'
      ? 204
      : row.object === 'address'
        ? owner
        : ['notification', 'import'].includes(row.object ?? '')
          ? 200
          : admin;
  return [
    { caller: 'nobody', ...its, expected: nobody },
    { caller: 'owner', ...its, expected: owner },
    { caller: 'otherOwner', ...its, expected: otherOwner },
    { caller: 'driver', ...its, expected: driver },
    { caller: 'otherDriver', ...its, expected: otherDriver },
    { caller: 'admin', ...its, expected: admin },
    { caller: 'admin', owner: 'admin', driver: 'driver', expected: ownAdmin },
    ...barredAccounts.flatMap(([name, role]) => [
      { caller: name, ...its, expected: barred },
      ...(role === 'driver' ? [{ caller: name, owner: 'owner', driver: name, expected: barred }] : []),
      ...(role === 'owner' ? [{ caller: name, owner: name, driver: 'driver', expected: barred }] : []),
    ]),
  ];
}

const titleOf = ({ call, when, object }: Row) => [call, when, object && `(${object})`].filter(Boolean).join(' ');

describe('who may call what', () => {
  test.each(table.map((row) => ({ title: titleOf(row), row })))('$title', async ({ row }) => {
    const wrong: string[] = [];
    for (const one of casesOf(row)) {
      const { caller, owner, driver, expected } = one;
      const status = await statusOf(row, one);
      if (status !== expected)
        wrong.push(`${caller} on what is ${owner}'s and ${driver}'s: ${status} instead of ${expected}`);
    }
    expect(wrong).toEqual([]);
  });
});

test('every endpoint has a row in the table, and every row is an endpoint', () => {
  const groups: Record<string, Record<string, Endpoint>> = endpoints;
  const declared = Object.values(groups).flatMap((group) =>
    Object.values(group).map(({ method, path }) => `${method} ${path}`),
  );
  expect([...new Set(table.map((row) => row.call))].toSorted()).toEqual([...new Set(declared)].toSorted());
});

/** The response must not reveal whether an id is malformed, unknown or foreign. */
test('a malformed id gets the same 404 message as an unknown one', async () => {
  const declared: Endpoint[] = Object.values(endpoints).flatMap((group) => Object.values(group));
  const rows = new Map(table.filter(({ call }) => call.includes('/:id')).map((row) => [row.call, row]));
  const replies: Record<string, string[]> = {};
  for (const [call, row] of rows) {
    const { access, path = '' } = declared.find((one) => `${one.method} ${one.path}` === call) ?? {};
    const role = typeof access === 'object' && access.role;
    // Administrators get an empty list of an unknown user's packages, owners a 404.
    const caller = role || (path.startsWith('/packages/user/') ? 'owner' : 'admin');
    const unknown = /incidents|messages/.test(path) ? '999999999' : '0192f000-0000-7000-8000-000000000000';
    replies[call] = [];
    for (const id of [unknown, 'x', "1' or 1=1"]) {
      const signal = AbortSignal.timeout(10_000);
      const response = await send(row, { caller, owner: 'owner', id: encodeURIComponent(id), signal });
      const { message } = (await response.json()) as { message: string };
      if (!replies[call].includes(`${response.status} ${message}`)) replies[call].push(`${response.status} ${message}`);
    }
  }
  expect(rows.size).toBeGreaterThan(30);
  for (const [call, messages] of Object.entries(replies))
    expect([call, ...messages]).toEqual([
      call,
      /recipient|changes|^POST .track.*rating/.test(call)
        ? '401 Authentication required. Please log in again.'
        : call.includes('/track/')
          ? '404 Package not found'
          : expect.stringMatching(/^404 This (?!page)[a-z]+ does not exist$/),
    ]);
});

test('monitors can use HEAD for the health checks', async () => {
  for (const path of ['/healthz', '/livez']) {
    const response = await fetch(`${url}${path}`, { method: 'HEAD' });
    expect([path, response.status, await response.text()]).toEqual([path, 200, '']);
  }
});

test('no path below /api exists without being in the contract', async () => {
  for (const path of ['/api', '/api/', '/api/users/1/packages', '/api/admin', '/api/packages/x/y/z', '/api/healthz']) {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${actor('admin').token}` } });
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.json()).toMatchObject({ code: 'not_found' });
  }
});

test('a token in the URL, a wrong scheme and an unknown token are all unauthenticated', async () => {
  const { token } = actor('admin');
  for (const headers of [
    {},
    { authorization: token },
    { authorization: `Basic ${token}` },
    { authorization: `Bearer ${'x'.repeat(43)}` },
    { authorization: 'Bearer' },
  ]) {
    const response = await fetch(`${url}/api/users/me?token=${token}&access_token=${token}`, {
      headers: headers as Record<string, string>,
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({
      code: 'unauthenticated',
      message: 'Authentication required. Please log in again.',
    });
  }
});

test('a permission that is missing in a user’s own list is denied even if the role has it', async () => {
  const owner = await product.register('owner');
  await actor('admin').api.users.update({ params: { id: owner.id }, body: { permissions: ['packages.read'] } });
  await expect(createPackage(owner)).rejects.toMatchObject({
    status: 403,
    message: 'You do not have permission to perform this action',
  });
  await owner.api.packages.listOfUser({ params: { id: owner.id } });
  await actor('admin').api.users.update({ params: { id: owner.id }, body: { permissions: null } });
  await createPackage(owner);
});

test('an administrator without users.manage_roles can change names, but neither roles nor permissions', async () => {
  const helper = await product.register('admin');
  const owner = await product.register('owner');
  await actor('admin').api.users.update({
    params: { id: helper.id },
    body: { permissions: ['users.update', 'admin.manage_users'] },
  });
  const update = (body: object) => helper.api.users.update({ params: { id: owner.id }, body });
  await update({ name: 'Another name', status: 'suspended' });
  await expect(update({ role: 'admin' })).rejects.toMatchObject({ status: 403 });
  await expect(update({ permissions: ['admin.access'] })).rejects.toMatchObject({ status: 403 });
  await update({ role: 'owner', permissions: null, status: 'active' });
});

test.for(barredAccounts)('%s gets the reason of the refusal', async ([name]) => {
  expect(isBarred(name)).toBe(true);
  await expect(actor(name).api.notifications.list()).rejects.toMatchObject({
    status: 403,
    code: 'not_active',
    message: 'Your account is not active. Please contact support.',
  });
  await expect(actor(name).api.users.me()).resolves.toMatchObject({ permissionsInForce: [] });
});
