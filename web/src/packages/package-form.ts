import { categories, faultOfPastDay, longestInstructions, trackingIdPattern } from '@waybill/contract';
import type { Client, Package } from '@waybill/contract';
import {
  boolean,
  enum as oneOf,
  maxLength,
  maximum,
  minLength,
  minimum,
  nullable,
  number,
  object,
  pipe,
  refine,
  regex,
  string,
  transform,
  trim,
} from 'zod/mini';
import type { input, output } from 'zod/mini';
import { isSame } from '../platform/drafts.ts';
import { localDay, localTime } from '../platform/formats.ts';

export const weightRange = { min: 0.1, max: 50, step: 0.1 };

const text = (label: string, max = 200) =>
  string().check(trim(), maxLength(max, `${label} must be at most ${max} characters`));

/** Centimetres as typed; a field left blank is null. */
const side = (label: string) =>
  pipe(
    pipe(
      string(),
      transform((typed) => (typed.trim() === '' ? null : Number(typed))),
    ),
    nullable(
      number(`${label} must be a number`).check(
        minimum(0, `${label} must be positive`),
        maximum(1000, `${label} must be at most 1000cm`),
      ),
    ),
  );

const Address = object({
  street: text('Street'),
  postalCode: text('Postal code', 20),
  city: text('City', 120),
  country: text('Country', 80),
}).check(({ value, issues }) => {
  if (isBlank(value)) return;
  if (!value.street) issues.push({ code: 'custom', input: value, path: ['street'], message: 'Street is required' });
  if (!value.city) issues.push({ code: 'custom', input: value, path: ['city'], message: 'City is required' });
});

/** A day and two times of it, all of them or none. */
const Window = object({ day: string(), from: string(), until: string() }).check(({ value, issues }) => {
  if (isBlank(value)) return;
  const require = (path: keyof typeof value, message: string) => {
    if (!value[path]) issues.push({ code: 'custom', input: value, path: [path], message });
  };
  require('day', 'Please choose a day');
  require('from', 'Please choose a time');
  require('until', 'Please choose a time');
  if (value.from && value.until && value.until <= value.from) {
    issues.push({ code: 'custom', input: value, path: ['until'], message: 'The window must end after it starts' });
  }
});

const Handling = object({
  fragile: boolean(),
  keepUpright: boolean(),
  refrigerated: boolean(),
  signatureRequired: boolean(),
  safePlace: boolean(),
  safePlaceNote: text('Safe place'),
}).check(({ value, issues }) => {
  if (value.safePlace && !value.safePlaceNote) {
    issues.push({ code: 'custom', input: value, path: ['safePlaceNote'], message: 'Please say where it may be left' });
  }
});

const isBlank = (group: Record<string, string>) => Object.values(group).every((value) => value === '');

/** The form's rules. The server checks the same ones again. */
export const PackageForm = object({
  name: string().check(
    trim(),
    minLength(3, 'Name must be at least 3 characters'),
    maxLength(120, 'Name must be at most 120 characters'),
  ),
  category: pipe(string(), oneOf(categories, 'Please select a category')),
  description: string().check(
    trim(),
    minLength(10, 'Description must be at least 10 characters'),
    maxLength(2000, 'Description must be at most 2000 characters'),
  ),
  weight: number('Weight must be at least 0.1kg').check(
    minimum(weightRange.min, 'Weight must be at least 0.1kg'),
    maximum(weightRange.max, 'Weight must be at most 50kg'),
  ),
  dimensions: object({ width: side('Width'), height: side('Height'), length: side('Length') }),
  recipientName: string().check(
    trim(),
    minLength(3, 'Recipient name must be at least 3 characters'),
    maxLength(120, 'Recipient name must be at most 120 characters'),
  ),
  recipientContact: string().check(
    trim(),
    minLength(10, 'Contact must be at least 10 characters'),
    maxLength(200, 'Contact must be at most 200 characters'),
  ),
  instructions: string().check(
    trim(),
    maxLength(longestInstructions, `Instructions must be at most ${longestInstructions} characters`),
  ),
  hideRecipient: boolean(),
  showSender: boolean(),
  trackingId: string().check(regex(trackingIdPattern, 'Tracking ID must be PKG- and 8 capital letters or digits')),
  reference: text('Reference', 64),
  location: text('Location'),
  eta: string().check(refine((day) => day === '' || day >= '1900-01-01', 'Must be a real date')),
  address: Address,
  window: Window,
  handling: Handling,
});
export type PackageFormInput = input<typeof PackageForm>;
export type PackageFormOutput = output<typeof PackageForm>;

type Dates = Pick<PackageFormInput, 'eta' | 'window'>;

/**
 * Faults of dates that are over, the eta by the organisation's day, or that contradict each other; what an edit leaves as it was may be
 * over by now.
 */
export function faultsOfDates(
  { eta, window }: Dates,
  { zone, now = new Date() }: { zone: string; now?: Date },
  before: Dates | null = null,
) {
  const faults: { path: string[]; message: string }[] = [];
  const past = eta !== '' && eta !== before?.eta && faultOfPastDay(eta, zone, now);
  if (past) faults.push({ path: ['eta'], message: past });
  const isNew = !isSame(window, before?.window);
  if (eta !== '' && window.day > eta && (isNew || eta !== before?.eta))
    faults.push({ path: ['window', 'day'], message: 'This day is after the estimated arrival' });
  if (isNew && window.day !== '' && window.until !== '' && new Date(`${window.day}T${window.until}`) <= now)
    faults.push({ path: ['window', 'until'], message: 'The window is over already' });
  return faults;
}

/** The rules of a new package, or of one that was `before`. */
export const packageFormOf = (zone: string, before: Dates | null = null) =>
  PackageForm.check(({ value, issues }) => {
    for (const fault of faultsOfDates(value, { zone }, before)) issues.push({ code: 'custom', input: value, ...fault });
  });

export const emptyPackage = (trackingId: string): PackageFormInput => ({
  name: '',
  category: '',
  description: '',
  weight: 1,
  dimensions: { width: '', height: '', length: '' },
  recipientName: '',
  recipientContact: '',
  instructions: '',
  hideRecipient: false,
  showSender: false,
  trackingId,
  reference: '',
  location: '',
  eta: '',
  address: { street: '', postalCode: '', city: '', country: '' },
  window: { day: '', from: '', until: '' },
  handling: {
    fragile: false,
    keepUpright: false,
    refrigerated: false,
    signatureRequired: false,
    safePlace: false,
    safePlaceNote: '',
  },
});

/** Whether a window has a place in the form, which has one day. */
export const isOfOneDay = ({ from, to }: NonNullable<Package['window']>): boolean =>
  localDay(new Date(from)) === localDay(new Date(to));

/** The form as a package fills it. A window over midnight has no place in it, and stays as it is until another is typed. */
export function formOf(pkg: Package): PackageFormInput {
  const { dimensions, address, window, handling } = pkg;
  const side = (cm: number | null | undefined) => (cm == null ? '' : String(cm));
  const [from, to] = window ? [new Date(window.from), new Date(window.to)] : [];
  return {
    name: pkg.name,
    category: pkg.category,
    description: pkg.description,
    weight: pkg.weight,
    dimensions: {
      width: side(dimensions?.width),
      height: side(dimensions?.height),
      length: side(dimensions?.length),
    },
    recipientName: pkg.recipientName,
    recipientContact: pkg.recipientContact ?? '',
    instructions: pkg.instructions ?? '',
    hideRecipient: pkg.hideRecipient,
    showSender: pkg.showSender,
    trackingId: pkg.trackingId,
    reference: pkg.reference ?? '',
    location: pkg.location ?? '',
    eta: pkg.eta ?? '',
    address: {
      street: address?.street ?? '',
      postalCode: address?.postalCode ?? '',
      city: address?.city ?? '',
      country: address?.country ?? '',
    },
    window:
      from && to && window && isOfOneDay(window)
        ? { day: localDay(from), from: localTime(from), until: localTime(to) }
        : { day: '', from: '', until: '' },
    handling: { ...handling, safePlace: handling.safePlace !== null, safePlaceNote: handling.safePlace ?? '' },
  };
}

export type CreateBody = Parameters<Client['packages']['create']>[0]['body'];

/** What the server gets: blanks left out, the window as instants of the viewer's zone. */
export function asCreateBody({
  dimensions,
  address,
  window,
  handling,
  reference,
  location,
  eta,
  instructions,
  ...plain
}: PackageFormOutput): CreateBody {
  const { safePlace, safePlaceNote, ...marks } = handling;
  const measured = Object.values(dimensions).some((cm) => cm !== null);
  return {
    ...plain,
    dimensions: measured ? dimensions : null,
    reference: reference || null,
    location: location || null,
    eta: eta || null,
    instructions: instructions || null,
    address: isBlank(address) ? null : address,
    window: isBlank(window)
      ? null
      : { from: instantOf(window.day, window.from), to: instantOf(window.day, window.until) },
    handling: { ...marks, safePlace: safePlace ? safePlaceNote : null },
  };
}

const instantOf = (day: string, time: string) => new Date(`${day}T${time}`).toISOString();
