import { useSession } from '../platform/session.ts';
import { accessDenial } from './access.ts';
import type { Requirement } from './access.ts';

/** Whether the present user may: what would be refused is not offered. */
export const useCan = (required: Requirement): boolean => accessDenial(useSession(), required) === null;
