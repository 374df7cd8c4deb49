import {
  AddressInput,
  CreatePackageInput,
  DimensionsInput,
  HandlingInput,
  checkedAge,
  safePlaceRefusal,
  windowOrderMessage,
  pastDayError,
} from '@waybill/contract';
import type { Client, Package } from '@waybill/contract';
import * as z from 'zod/mini';
import { localDay, localTime } from '../platform/formats.ts';
import { isDeepEqual } from '../platform/deep-equal.ts';
import { isBlank, fromText, groupFromText, numberFromText } from '../platform/text-inputs.ts';
import type { ChosenImage } from './image-choice.ts';

export const weightRange = { min: 0.1, max: 50, step: 0.1 };

/** A day and two times on it: all three or none. */
const Window = z.object({ day: z.string(), from: z.string(), until: z.string() }).check(({ value, issues }) => {
  if (isBlank(value)) return;
  const require = (path: keyof typeof value, message: string) => {
    if (!value[path]) issues.push({ code: 'custom', input: value, path: [path], message });
  };
  require('day', 'Please choose a day');
  require('from', 'Please choose a time');
  require('until', 'Please choose a time');
  if (value.from && value.until && value.until <= value.from) {
    issues.push({ code: 'custom', input: value, path: ['until'], message: windowOrderMessage });
  }
});

const Handling = z
  .object({
    fragile: z.boolean(),
    keepUpright: z.boolean(),
    refrigerated: z.boolean(),
    signatureRequired: z.boolean(),
    pin: z.boolean(),
    age: z.boolean(),
    safePlace: z.boolean(),
    safePlaceNote: fromText(HandlingInput.shape.safePlace),
  })
  .check(({ value, issues }) => {
    if (value.safePlace && (value.pin || value.age)) {
      issues.push({ code: 'custom', input: value, path: ['safePlaceNote'], message: safePlaceRefusal });
    } else if (value.safePlace && !value.safePlaceNote) {
      issues.push({
        code: 'custom',
        input: value,
        path: ['safePlaceNote'],
        message: 'Please say where it may be left',
      });
    }
  });

const rules = CreatePackageInput.shape;

/** The contract's rules applied to form input (strings as typed). */
export const PackageForm = z.object({
  name: rules.name,
  category: fromText(rules.category),
  description: rules.description,
  weight: rules.weight,
  dimensions: z.object({
    width: numberFromText(DimensionsInput.shape.width),
    height: numberFromText(DimensionsInput.shape.height),
    length: numberFromText(DimensionsInput.shape.length),
  }),
  recipientName: rules.recipientName,
  recipientContact: rules.recipientContact,
  recipientEmail: fromText(rules.recipientEmail),
  recipientPhone: fromText(rules.recipientPhone),
  recipientLanguage: fromText(rules.recipientLanguage),
  instructions: fromText(rules.instructions),
  hideRecipient: z.boolean(),
  showSender: z.boolean(),
  allowChanges: z.boolean(),
  trackingId: fromText(rules.trackingId),
  reference: fromText(rules.reference),
  location: fromText(rules.location),
  eta: fromText(rules.eta),
  address: groupFromText(AddressInput),
  window: Window,
  handling: Handling,
  images: z.custom<ChosenImage[]>(),
});
export type PackageFormInput = z.input<typeof PackageForm>;
export type PackageFormOutput = z.output<typeof PackageForm>;

type Dates = Pick<PackageFormOutput, 'eta' | 'window'>;

/**
 * Errors for dates in the past (the ETA by the organisation's day) or in conflict with each other. Dates that an edit leaves unchanged
 * are not checked: they may be in the past by now.
 */
export function dateErrors(
  { eta, window }: Dates,
  { zone, now = new Date() }: { zone: string; now?: Date },
  before: Dates | null = null,
) {
  const faults: { path: string[]; message: string }[] = [];
  const past = eta && eta !== before?.eta && pastDayError(eta, zone, now);
  if (past) faults.push({ path: ['eta'], message: past });
  const isNew = !isDeepEqual(window, before?.window);
  if (eta && window.day > eta && (isNew || eta !== before?.eta))
    faults.push({ path: ['window', 'day'], message: 'This day is after the estimated arrival' });
  if (isNew && window.day !== '' && window.until !== '' && new Date(`${window.day}T${window.until}`) <= now)
    faults.push({ path: ['window', 'until'], message: 'The window is over already' });
  return faults;
}

/** Schema for a new package, or for an edit of one with the dates `before`. */
export const packageFormSchema = (zone: string, before: Dates | null = null) =>
  PackageForm.check(({ value, issues }) => {
    for (const fault of dateErrors(value, { zone }, before)) issues.push({ code: 'custom', input: value, ...fault });
  });

export const emptyPackage = (trackingId: string): PackageFormInput => ({
  name: '',
  category: '',
  description: '',
  weight: 1,
  dimensions: { width: '', height: '', length: '' },
  recipientName: '',
  recipientContact: '',
  recipientEmail: '',
  recipientPhone: '',
  recipientLanguage: '',
  instructions: '',
  hideRecipient: false,
  showSender: false,
  allowChanges: true,
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
    pin: false,
    age: false,
    safePlace: false,
    safePlaceNote: '',
  },
  images: [],
});

/** Whether a window fits the form, which has a single day. In the viewer's zone. */
export const isWithinOneDay = ({ from, to }: NonNullable<Package['window']>): boolean =>
  localDay(new Date(from)) === localDay(new Date(to));

/** A package as form values. A window that spans midnight does not fit: its fields stay empty, and it is unchanged until edited. */
export function toFormValues(pkg: Package): PackageFormInput {
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
    recipientEmail: pkg.recipientEmail ?? '',
    recipientPhone: pkg.recipientPhone ?? '',
    recipientLanguage: pkg.recipientLanguage ?? '',
    instructions: pkg.instructions ?? '',
    hideRecipient: pkg.hideRecipient,
    showSender: pkg.showSender,
    allowChanges: pkg.allowChanges,
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
      from && to && window && isWithinOneDay(window)
        ? { day: localDay(from), from: localTime(from), until: localTime(to) }
        : { day: '', from: '', until: '' },
    handling: {
      ...handling,
      age: handling.age !== null,
      safePlace: handling.safePlace !== null,
      safePlaceNote: handling.safePlace ?? '',
    },
    images: pkg.images,
  };
}

/** The handling that the form shows. */
export const handlingOf = <Note>({
  safePlace,
  safePlaceNote,
  age,
  ...marks
}: Omit<PackageFormInput['handling'], 'safePlaceNote'> & { safePlaceNote: Note }) => ({
  ...marks,
  age: age ? checkedAge : null,
  safePlace: safePlace ? safePlaceNote : null,
});

export type CreateBody = Parameters<Client['packages']['create']>[0]['body'];

/** The request body without images: the window as instants of the viewer's zone, dimensions null when all are blank. */
export function toCreateBody({
  dimensions,
  window,
  handling,
  ...plain
}: Omit<PackageFormOutput, 'images'>): CreateBody {
  const measured = Object.values(dimensions).some((cm) => cm != null);
  return {
    ...plain,
    dimensions: measured ? dimensions : null,
    window: isBlank(window)
      ? null
      : { from: instantOf(window.day, window.from), to: instantOf(window.day, window.until) },
    handling: handlingOf(handling),
  };
}

const instantOf = (day: string, time: string) => new Date(`${day}T${time}`).toISOString();
