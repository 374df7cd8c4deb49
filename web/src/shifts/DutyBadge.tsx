import { Clock, Moon } from 'lucide-react';
import { Badge } from '../ui/Badge.tsx';
import { timeOf } from './week.ts';

interface DutyBadgeProps {
  onDuty: boolean;
  /** End of the current shift, an instant. */
  until?: string | null;
}

export function DutyBadge({ onDuty, until }: DutyBadgeProps) {
  if (!onDuty) return <Badge icon={<Moon aria-hidden="true" />}>Off duty</Badge>;
  return (
    <Badge tone="green" icon={<Clock aria-hidden="true" />}>
      {until ? `On duty until ${timeOf(until)}` : 'On duty'}
    </Badge>
  );
}
