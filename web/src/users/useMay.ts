import { useSession } from '../platform/session.ts';
import { denialOf } from './access.ts';
import type { Requirement } from './access.ts';

/** Whether the present user may: what would be refused is not offered. */
export const useMay = (required: Requirement): boolean => denialOf(useSession(), required) === null;
