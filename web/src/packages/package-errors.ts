import type { FieldPath } from 'react-hook-form';
import { UploadError } from '../platform/upload-errors.ts';
import type { PackageFormInput } from './package-form.ts';

const notConfigured = {
  title: 'Configuration Error',
  description: 'AWS S3 is not properly configured. Please check your environment variables.',
};

/** A failure in the words of its toast. */
export const errorToast = (error: unknown, message: string) =>
  error instanceof UploadError && error.notConfigured ? notConfigured : { title: 'Error', description: message };

/** Where the form shows what the server says about a field. */
export function fieldOf(path: string): FieldPath<PackageFormInput> | null {
  const field = renamed[path] ?? path;
  return fieldNames.find((known) => known === field) ?? null;
}

const renamed: Partial<Record<string, string>> = {
  'window.to': 'window.until',
  'handling.safePlace': 'handling.safePlaceNote',
};

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
