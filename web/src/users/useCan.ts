import { useSession } from '../platform/session.ts';
import { accessDenial } from './access.ts';
import type { Requirement } from './access.ts';

/** Whether the current user meets a requirement, so that denied actions are not offered. */
export const useCan = (required: Requirement): boolean => accessDenial(useSession(), required) === null;
