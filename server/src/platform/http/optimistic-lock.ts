import { AppError } from '../errors.ts';
import { allowsVersion } from './http.ts';

/** The version that the caller has edited, as sent with the change. */
export interface EditedVersion {
  /** The `version` in the body. */
  version: number | undefined;
  /** The request's `If-Match`, or null. */
  ifMatch: string | null;
}

/**
 * Optimistic lock: refuses an edit of an older version than the present one, which would undo changes that the caller has not seen.
 *
 * @throws precondition_failed if `If-Match` does not match, stale if `version` is older
 */
export function assertCurrent(currentVersion: number, { version, ifMatch }: EditedVersion, message: string): void {
  if (ifMatch !== null && !allowsVersion(ifMatch, currentVersion)) throw new AppError('precondition_failed', message);
  if (version !== undefined && version < currentVersion) throw new AppError('stale', message);
}
