import { AppError, isUniqueViolation } from '../platform/errors.ts';
import type { PackageRow } from './row.ts';

export const trackingIdTaken = { trackingId: 'This tracking ID is already in use' };
const referenceTaken = { reference: 'This reference is already in use' };

export const referenceTakenError = () =>
  new AppError('reference_taken', 'Another package of yours has this reference', { fields: referenceTaken });

/** Maps the unique violation of two concurrent requests for one reference to `reference_taken`; rethrows every other error. */
export function rethrowReferenceTaken(error: unknown): never {
  throw isUniqueViolation(error, 'packages_reference') ? referenceTakenError() : error;
}

/** An action that the present status does not allow. The message names the status. */
export const illegalStep = (pkg: PackageRow, consequence: string) =>
  new AppError('illegal_step', `This package is ${pkg.status}: ${consequence}`);

export const tooLate = 'its details can no longer be changed';
