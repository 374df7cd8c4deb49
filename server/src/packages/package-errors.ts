import { AppError, isUniqueViolation } from '../platform/errors.ts';
import type { PackageRow } from './row.ts';

export const trackingIdTaken = { trackingId: 'This tracking ID is already in use' };
const referenceTaken = { reference: 'This reference is already in use' };

export const referenceTakenError = () =>
  new AppError('reference_taken', 'Another package of yours has this reference', { fields: referenceTaken });

/** A generated ID collides about once in 10^12 times; the caller's retry generates another one. */
export const trackingIdTakenError = () =>
  new AppError('tracking_id_taken', trackingIdTaken.trackingId, { fields: trackingIdTaken });

/**
 * Whether the reference is taken: by the index of packages, or by the directory, whose key alone holds where packages are distributed
 * (docs/scale.md).
 */
const isReferenceTaken = (error: unknown): boolean =>
  isUniqueViolation(error, 'packages_reference') || isUniqueViolation(error, 'package_references_pkey');

/** Whether a directory has refused what an import creates. */
export const isTaken = (error: unknown): boolean =>
  isReferenceTaken(error) || (error instanceof AppError && error.code === 'tracking_id_taken');

/** Maps the unique violation of two concurrent requests for one reference to `reference_taken`; rethrows every other error. */
export function rethrowReferenceTaken(error: unknown): never {
  throw isReferenceTaken(error) ? referenceTakenError() : error;
}

/** An action that the present status does not allow. The message names the status. */
export const illegalStep = (pkg: PackageRow, consequence: string) =>
  new AppError('illegal_step', `This package is ${pkg.status}: ${consequence}`);

export const tooLate = 'its details can no longer be changed';
