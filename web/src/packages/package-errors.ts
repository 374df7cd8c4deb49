import type { FieldPath } from 'react-hook-form';
import { UploadError } from '../platform/upload-errors.ts';
import type { PackageFormInput } from './package-form.ts';

const notConfigured = {
  title: 'Configuration Error',
  description: 'AWS S3 is not properly configured. Please check your environment variables.',
};

/** An error as a toast. */
export const errorToast = (error: unknown, message: string) =>
  error instanceof UploadError && error.notConfigured ? notConfigured : { title: 'Error', description: message };

/** Maps the server's field path to the form's field; null if the form has none. */
export function fieldOf(path: string): FieldPath<PackageFormInput> | null {
  const field = renamed[path] ?? path;
  return fieldNames.find((known) => known === field) ?? null;
}

const renamed: Partial<Record<string, string>> = {
  'window.to': 'window.until',
  'handling.safePlace': 'handling.safePlaceNote',
};

/** Form fields that can show a server error. */
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
  'recipientEmail',
  'recipientPhone',
  'recipientLanguage',
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
