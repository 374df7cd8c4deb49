import { mayChange } from '@waybill/contract';
import type { Package, PackageStatus } from '@waybill/contract';
import * as z from 'zod/mini';
import { isDeepEqual } from '../platform/deep-equal.ts';
import { PackageForm, toCreateBody, dateErrors, toFormValues, packageFormSchema } from './package-form.ts';
import type { CreateBody, PackageFormInput, PackageFormOutput } from './package-form.ts';

/** Of an edit: what the status lets be changed, of which what is there already is no fault of anybody's. */
export function editFormSchema(before: PackageFormInput, status: PackageStatus, zone: string): typeof PackageForm {
  if (status === 'processing') return packageFormSchema(zone, before);
  const { recipientContact, window, instructions, hideRecipient, showSender } = PackageForm.shape;
  const visibility = { hideRecipient, showSender };
  const fields = mayChange('instructions', status)
    ? { recipientContact, window, instructions, ...visibility }
    : visibility;
  // What is not on the screen goes through as it is.
  return (z.looseObject(fields) as unknown as typeof PackageForm).check(({ value, issues }) => {
    for (const fault of dateErrors({ eta: '', window: value.window }, { zone }, before))
      issues.push({ code: 'custom', input: value, ...fault });
  });
}

export type PackageChange = Partial<Pick<CreateBody, Exclude<keyof PackageFormInput, 'trackingId' | 'images'>>>;

/** What an edit sends beside the images: the fields that were touched, whole. */
export function toChangeBody(
  values: Partial<PackageFormOutput>,
  touched: Partial<Record<keyof PackageFormInput, unknown>>,
  pkg: Package,
): PackageChange {
  const whole: PackageChange = toCreateBody({ ...toFormOutput(pkg), ...values });
  return Object.fromEntries(
    Object.entries(whole).filter(([field]) => field in labels && touched[field as keyof PackageFormInput]),
  );
}

/** What the form would give for a package that nobody has touched. */
function toFormOutput(pkg: Package): PackageFormOutput {
  const sides = { width: null, height: null, length: null, ...pkg.dimensions };
  const { reference, location, eta, instructions, address } = pkg;
  const category = pkg.category as PackageFormOutput['category'];
  return { ...toFormValues(pkg), category, dimensions: sides, reference, location, eta, instructions, address };
}

const labels: Record<Exclude<keyof PackageFormInput, 'images'>, string> = {
  name: 'Package Name',
  category: 'Category',
  description: 'Description',
  weight: 'Weight',
  dimensions: 'Dimensions',
  recipientName: 'Recipient Name',
  recipientContact: 'Contact Number',
  instructions: 'Instructions',
  hideRecipient: 'Hide recipient',
  showSender: 'Show sender',
  trackingId: 'Tracking ID',
  reference: 'Reference',
  location: 'Current Location',
  eta: 'Estimated Arrival',
  address: 'Delivery address',
  window: 'Preferred time window',
  handling: 'Special handling',
};

/** What differs between two states of a package, in the words of the form. */
export function differencesOf(one: Package, other: Package): string[] {
  const [before, after] = [toFormValues(one), toFormValues(other)];
  const fields = (Object.keys(labels) as (keyof typeof labels)[]).filter(
    (name) => !isDeepEqual(before[name], after[name]),
  );
  return [
    ...fields.map((name) => labels[name]),
    ...(one.images.length === other.images.length ? [] : ['Images']),
    ...(one.status === other.status ? [] : ['Status']),
  ];
}
