import { AppError } from '../errors.ts';
import { allowsVersion } from './http.ts';

/** What a caller says about the copy that they changed. */
export interface EditedVersion {
  /** The `version` in the body. */
  version: number | undefined;
  /** The request's `If-Match`, or null. */
  ifMatch: string | null;
}

/** Refuses a change that was made on an older version than the `present` one: whoever made it has not seen what it would undo. */
export function assertCurrent(present: number, { version, ifMatch }: EditedVersion, message: string): void {
  if (ifMatch !== null && !allowsVersion(ifMatch, present)) throw new AppError('precondition_failed', message);
  if (version !== undefined && version < present) throw new AppError('stale', message);
}
