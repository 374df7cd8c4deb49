import { AppError, isUniqueViolation } from '../platform/errors.ts';
import type { PackageRow } from './row.ts';

export const trackingIdTaken = { trackingId: 'This tracking ID is already in use' };
const referenceTaken = { reference: 'This reference is already in use' };

export const refuseReference = () =>
  new AppError('reference_taken', 'Another package of yours has this reference', { fields: referenceTaken });

/** The database decides which of two that take a reference at once has it. */
export function tellTakenReference(error: unknown): never {
  throw isUniqueViolation(error, 'packages_reference') ? refuseReference() : error;
}

/** An action that the present status does not allow; the message tells that status. */
export const illegalStep = (pkg: PackageRow, consequence: string) =>
  new AppError('illegal_step', `This package is ${pkg.status}: ${consequence}`);

export const tooLate = 'its details can no longer be changed';
