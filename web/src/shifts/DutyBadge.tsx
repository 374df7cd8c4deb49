import { fill } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { Clock, Moon } from 'lucide-react';
import { Badge } from '../ui/Badge.tsx';
import { timeOf } from './week.ts';

interface DutyBadgeProps {
  onDuty: boolean;
  /** End of the current shift, an instant. */
  until?: string | null;
  /** On a page in other languages. */
  words?: Pick<Texts['driver']['shift'], 'onDuty' | 'onDutyUntil' | 'offDuty'>;
}

const english = { onDuty: 'On duty', onDutyUntil: 'On duty until {time}', offDuty: 'Off duty' };

export function DutyBadge({ onDuty, until, words = english }: DutyBadgeProps) {
  if (!onDuty) return <Badge icon={<Moon aria-hidden="true" />}>{words.offDuty}</Badge>;
  return (
    <Badge tone="green" icon={<Clock aria-hidden="true" />}>
      {until ? fill(words.onDutyUntil, { time: timeOf(until) }) : words.onDuty}
    </Badge>
  );
}
