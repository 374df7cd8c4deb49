import { mayChange } from '@waybill/contract';
import type { Package, PackageStatus } from '@waybill/contract';
import * as z from 'zod/mini';
import { isDeepEqual } from '../platform/deep-equal.ts';
import { PackageForm, toCreateBody, dateErrors, toFormValues, packageFormSchema } from './package-form.ts';
import type { CreateBody, PackageFormInput, PackageFormOutput } from './package-form.ts';

/** Schema of an edit: only the fields that the status allows to change. Dates that the edit leaves unchanged are not validated again. */
export function editFormSchema(before: PackageFormInput, status: PackageStatus, zone: string): typeof PackageForm {
  if (status === 'processing') return packageFormSchema(zone, before);
  const { recipientContact, recipientEmail, recipientPhone, recipientLanguage, allowChanges } = PackageForm.shape;
  const { window, instructions, hideRecipient, showSender } = PackageForm.shape;
  const recipient = { recipientContact, recipientEmail, recipientPhone, recipientLanguage, allowChanges };
  const visibility = { hideRecipient, showSender };
  const fields = mayChange('instructions', status) ? { ...recipient, window, instructions, ...visibility } : visibility;
  // Loose: fields that are not on the screen pass unvalidated.
  return (z.looseObject(fields) as unknown as typeof PackageForm).check(({ value, issues }) => {
    for (const fault of dateErrors({ eta: '', window: value.window }, { zone }, before))
      issues.push({ code: 'custom', input: value, ...fault });
  });
}

export type PackageChange = Partial<Pick<CreateBody, Exclude<keyof PackageFormInput, 'trackingId' | 'images'>>>;

/** An edit's request body without images: only the touched fields, each complete (an address is sent whole). */
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

/** What the untouched form would submit. */
function toFormOutput(pkg: Package): PackageFormOutput {
  const sides = { width: null, height: null, length: null, ...pkg.dimensions };
  const { reference, location, eta, instructions, address, recipientEmail, recipientPhone, recipientLanguage } = pkg;
  const category = pkg.category as PackageFormOutput['category'];
  const reach = { recipientEmail, recipientPhone, recipientLanguage };
  return {
    ...toFormValues(pkg),
    ...reach,
    category,
    dimensions: sides,
    reference,
    location,
    eta,
    instructions,
    address,
  };
}

const labels: Record<Exclude<keyof PackageFormInput, 'images'>, string> = {
  name: 'Package Name',
  category: 'Category',
  description: 'Description',
  weight: 'Weight',
  dimensions: 'Dimensions',
  recipientName: 'Recipient Name',
  recipientContact: 'Contact Number',
  recipientEmail: "Recipient's email",
  recipientPhone: "Recipient's mobile phone",
  recipientLanguage: "Recipient's language",
  instructions: 'Instructions',
  hideRecipient: 'Hide recipient',
  showSender: 'Show sender',
  allowChanges: 'Recipient may change the delivery',
  trackingId: 'Tracking ID',
  reference: 'Reference',
  location: 'Current Location',
  eta: 'Estimated Arrival',
  address: 'Delivery address',
  window: 'Preferred time window',
  handling: 'Special handling',
};

/** Labels of the fields that differ between two versions of a package. */
export function differencesOf(one: Package, other: Package): string[] {
  const [before, after] = [toFormValues(one), toFormValues(other)];
  const fields = (Object.keys(labels) as (keyof typeof labels)[]).filter(
    (name) => !isDeepEqual(before[name], after[name]),
  );
  return [
    ...fields.map((name) => labels[name]),
    ...(one.images.length === other.images.length ? [] : ['Pictures']),
    ...(one.status === other.status ? [] : ['Status']),
  ];
}
