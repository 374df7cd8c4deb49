import { ApiError } from '@waybill/contract';
import type { FieldPath, UseFormReturn } from 'react-hook-form';
import { UploadError } from '../platform/unsent.ts';
import type { PackageFormInput, PackageFormOutput } from './package-form.ts';

const notConfigured = {
  title: 'Configuration Error',
  description: 'AWS S3 is not properly configured. Please check your environment variables.',
};

/** A failure in the words of its toast. */
export const wordsOf = (error: unknown, message: string) =>
  error instanceof UploadError && error.notConfigured ? notConfigured : { title: 'Error', description: message };

/** Where the form shows what the server says about a field. */
export const formField = (path: string): string =>
  ({ 'window.from': 'window.from', 'window.to': 'window.until', 'handling.safePlace': 'handling.safePlaceNote' })[
    path
  ] ?? path;

/** Shows each fault of the server at its field. */
export function setFaults(form: UseFormReturn<PackageFormInput, unknown, PackageFormOutput>, error: unknown): void {
  if (!(error instanceof ApiError)) return;
  for (const [index, [path, fault]] of Object.entries(error.fields).entries()) {
    const name = fieldNames.find((known) => known === formField(path));
    if (name) form.setError(name, { message: fault }, { shouldFocus: index === 0 });
  }
}

/** Every field that an error of the server can land on. */
const fieldNames: readonly FieldPath<PackageFormInput>[] = [
  'name',
  'category',
  'description',
  'weight',
  'dimensions.width',
  'dimensions.height',
  'dimensions.length',
  'recipientName',
  'recipientContact',
  'trackingId',
  'reference',
  'location',
  'eta',
  'address.street',
  'address.postalCode',
  'address.city',
  'address.country',
  'window.day',
  'window.from',
  'window.until',
  'handling.safePlaceNote',
  'instructions',
];
