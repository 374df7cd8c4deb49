import { fill } from '@waybill/contract';
import type { AbsenceKind } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { CalendarOff, Clock, Moon } from 'lucide-react';
import { Badge } from '../ui/Badge.tsx';
import { absentUntil } from './absence-words.ts';
import { timeOf } from './week.ts';

interface DutyBadgeProps {
  onDuty: boolean;
  /** End of the current shift, an instant. */
  until?: string | null;
  /** Of a planners' page: why the driver is away today. */
  absence?: { kind: AbsenceKind; to: string } | null;
  /** On a page in other languages. */
  words?: Pick<Texts['driver']['shift'], 'onDuty' | 'onDutyUntil' | 'offDuty'>;
}

const english = { onDuty: 'On duty', onDutyUntil: 'On duty until {time}', offDuty: 'Off duty' };

export function DutyBadge({ onDuty, until, absence, words = english }: DutyBadgeProps) {
  if (absence)
    return (
      <Badge tone="yellow" icon={<CalendarOff aria-hidden="true" />}>
        {absentUntil(absence)}
      </Badge>
    );
  if (!onDuty) return <Badge icon={<Moon aria-hidden="true" />}>{words.offDuty}</Badge>;
  return (
    <Badge tone="green" icon={<Clock aria-hidden="true" />}>
      {until ? fill(words.onDutyUntil, { time: timeOf(until) }) : words.onDuty}
    </Badge>
  );
}
