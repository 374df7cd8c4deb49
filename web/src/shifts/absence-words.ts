import type { AbsenceKind } from '@waybill/contract';
import { formatShortDay } from '../platform/formats.ts';

/** On the planners' pages, which are English. */
export const absenceWords: Record<AbsenceKind, string> = { sick: 'Sick', holiday: 'Holiday', other: 'Absent' };

/** Sick until Fri 27 Nov */
export const absentUntil = ({ kind, to }: { kind: AbsenceKind; to: string }): string =>
  `${absenceWords[kind]} until ${formatShortDay(to)}`;
