import { Ban, CircleCheck, CircleDashed, Box, Truck } from 'lucide-react';
import { Badge } from '../ui/Badge.tsx';
import { statusStyle } from './status.ts';

const icons = {
  yellow: Box,
  blue: Truck,
  green: CircleCheck,
  red: Ban,
  grey: CircleDashed,
  purple: CircleDashed,
};

interface StatusBadgeProps {
  status: string;
  /** In a language other than English. */
  label?: string;
  size?: 'xs' | 'sm' | 'md';
}

/** `md` where it heads a page, `xs` in rows. */
export function StatusBadge({ status, label: translated, size }: StatusBadgeProps) {
  const { label, tone } = statusStyle(status);
  const Icon = icons[tone];
  return (
    <Badge tone={tone} size={size} icon={<Icon aria-hidden="true" />}>
      {/* An unknown status is shown raw; CSS capitalizes its first letter. */}
      <span className="inline-block first-letter:uppercase">{translated ?? label}</span>
    </Badge>
  );
}
