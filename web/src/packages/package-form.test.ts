import type { Package } from '@waybill/contract';
import { expect, test } from 'vitest';
import { toChangeBody } from './package-edit.ts';
import { PackageForm, toCreateBody, emptyPackage, dateErrors, toFormValues } from './package-form.ts';
import type { PackageFormInput } from './package-form.ts';

const filled: PackageFormInput = {
  ...emptyPackage('PKG-ABCD1234'),
  name: 'Desk lamp',
  category: 'Furniture',
  description: 'A lamp of walnut and brass',
  recipientName: 'Mara Lindqvist',
  recipientContact: '+49 151 2345678',
};

const faults = (change: Partial<PackageFormInput>) => {
  const { error } = PackageForm.safeParse({ ...filled, ...change });
  return Object.fromEntries(error?.issues.map((issue) => [issue.path.join('.'), issue.message]) ?? []);
};

test('an empty form reports every required field', () => {
  expect(faults(emptyPackage('PKG-ABCD1234'))).toEqual({
    name: 'Name must be at least 3 characters',
    category: 'Please select a category',
    description: 'Description must be at least 10 characters',
    recipientName: 'Recipient name must be at least 3 characters',
    recipientContact: 'Contact must be at least 10 characters',
  });
});

test('white space counts as empty', () => {
  expect(faults({ name: '  a  ' })).toEqual({ name: 'Name must be at least 3 characters' });
});

test('dimensions are optional and must be numbers of at least 0', () => {
  expect(faults({ dimensions: { width: '', height: '0', length: '12.5' } })).toEqual({});
  expect(faults({ dimensions: { width: '-1', height: '-0.5', length: '-2' } })).toEqual({
    'dimensions.width': 'Width must be positive',
    'dimensions.height': 'Height must be positive',
    'dimensions.length': 'Length must be positive',
  });
  expect(faults({ dimensions: { width: 'wide', height: '', length: '' } })).toEqual({
    'dimensions.width': 'Width must be a number',
  });
});

test('a weight below the minimum is refused', () => {
  expect(faults({ weight: 0 })).toEqual({ weight: 'Weight must be at least 0.1kg' });
});

test('a partial address requires street and city', () => {
  expect(faults({ address: { street: '', postalCode: '40112', city: '', country: '' } })).toEqual({
    'address.street': 'Street is required',
    'address.city': 'City is required',
  });
});

test('a time window must be complete and end after it starts', () => {
  expect(faults({ window: { day: '2026-11-24', from: '', until: '' } })).toEqual({
    'window.from': 'Please choose a time',
    'window.until': 'Please choose a time',
  });
  expect(faults({ window: { day: '2026-11-24', from: '12:00', until: '10:00' } })).toEqual({
    'window.until': 'The window must end after it starts',
  });
});

test('blank fields are sent as null', () => {
  const { images, ...values } = PackageForm.parse(filled);
  expect(images).toEqual([]);
  expect(toCreateBody(values)).toEqual({
    name: 'Desk lamp',
    category: 'Furniture',
    description: 'A lamp of walnut and brass',
    weight: 1,
    dimensions: null,
    recipientName: 'Mara Lindqvist',
    recipientContact: '+49 151 2345678',
    recipientEmail: null,
    recipientPhone: null,
    recipientLanguage: null,
    instructions: null,
    hideRecipient: false,
    showSender: false,
    allowChanges: true,
    trackingId: 'PKG-ABCD1234',
    reference: null,
    location: null,
    eta: null,
    address: null,
    window: null,
    handling: {
      fragile: false,
      keepUpright: false,
      refrigerated: false,
      signatureRequired: false,
      pin: false,
      age: null,
      safePlace: null,
    },
  });
});

test("a window is sent as instants of the viewer's time zone", () => {
  const form = PackageForm.parse({ ...filled, window: { day: '2026-11-24', from: '10:00', until: '12:00' } });
  expect(toCreateBody(form).window).toEqual({
    from: new Date('2026-11-24T10:00').toISOString(),
    to: new Date('2026-11-24T12:00').toISOString(),
  });
});

test('dates in the past are refused, the ETA by the day of the organisation, unless an edit leaves them unchanged', () => {
  const present = { zone: 'UTC', now: new Date('2026-11-24T13:00Z') };
  const window = { day: '2026-11-20', from: '08:00', until: '10:00' };
  const over = { path: ['window', 'until'], message: 'The window is over already' };
  const fault = 'Estimated arrival must not be in the past';
  expect(dateErrors({ eta: '2026-11-23', window }, present)).toEqual([{ path: ['eta'], message: fault }, over]);
  expect(dateErrors({ eta: '2026-11-24', window }, present)).toEqual([over]);
  expect(dateErrors({ eta: '2026-11-23', window }, present, { eta: '2026-11-23', window: { ...window } })).toEqual([]);
  const elsewhere = { ...present, zone: 'Asia/Tokyo', now: new Date('2026-11-23T22:00Z') };
  const none = { day: '', from: '', until: '' };
  expect(dateErrors({ eta: '2026-11-23', window: none }, elsewhere)).toEqual([
    { path: ['eta'], message: `${fault}: it is 24 November 2026 already in Asia/Tokyo` },
  ]);
  expect(dateErrors({ eta: '2026-11-24', window: none }, elsewhere)).toEqual([]);
});

test('a window after the ETA is refused, unless an edit leaves both unchanged', () => {
  const present = { zone: 'UTC', now: new Date('2026-11-20T12:00Z') };
  const window = { day: '2026-11-25', from: '08:00', until: '10:00' };
  const fault = { path: ['window', 'day'], message: 'This day is after the estimated arrival' };
  expect(dateErrors({ eta: '2026-11-24', window }, present)).toEqual([fault]);
  expect(dateErrors({ eta: '2026-11-24', window }, present, { eta: '2026-11-26', window })).toEqual([fault]);
  expect(dateErrors({ eta: '2026-11-24', window }, present, { eta: '2026-11-24', window })).toEqual([]);
  expect(dateErrors({ eta: '2026-11-25', window }, present)).toEqual([]);
  expect(dateErrors({ eta: '', window }, present)).toEqual([]);
});

test('an edit sends only the touched fields, each complete', () => {
  const pkg = {
    name: 'Desk lamp',
    category: 'Furniture',
    description: 'A lamp of walnut and brass',
    weight: 1,
    dimensions: null,
    recipientName: 'Mara Lindqvist',
    recipientContact: '+49 151 2345678',
    recipientEmail: null,
    recipientPhone: '+491512345678',
    recipientLanguage: null,
    reference: null,
    instructions: null,
    hideRecipient: false,
    showSender: false,
    allowChanges: true,
    trackingId: 'PKG-ABCD1234',
    location: null,
    eta: null,
    address: { street: 'Wrong street 1', postalCode: null, city: 'Riverton', country: null },
    window: { from: new Date('2026-11-24T10:00').toISOString(), to: new Date('2026-11-24T12:00').toISOString() },
    handling: {
      fragile: true,
      keepUpright: false,
      refrigerated: false,
      signatureRequired: false,
      pin: false,
      age: null,
      safePlace: 'Shed',
    },
  } as Package;
  const form = toFormValues(pkg);
  expect(form).toMatchObject({
    dimensions: { width: '', height: '', length: '' },
    window: { day: '2026-11-24', from: '10:00', until: '12:00' },
    handling: { safePlace: true, safePlaceNote: 'Shed' },
  });
  const edited = PackageForm.parse({ ...form, address: { ...form.address, street: 'Right street 2' } });
  expect(toChangeBody(edited, { address: { street: true } }, pkg)).toEqual({
    address: { street: 'Right street 2', postalCode: null, city: 'Riverton', country: null },
  });
  expect(toChangeBody({ instructions: 'Ring twice' }, { instructions: true }, pkg)).toEqual({
    instructions: 'Ring twice',
  });
});
