import type { UserStatus } from '@waybill/contract';
import { CircleCheck, CirclePause, CircleSlash } from 'lucide-react';
import { Badge } from '../ui/Badge.tsx';

const styles = {
  active: { label: 'Active', tone: 'green', icon: CircleCheck },
  inactive: { label: 'Inactive', tone: 'grey', icon: CirclePause },
  suspended: { label: 'Suspended', tone: 'red', icon: CircleSlash },
} as const;

export const userStatusNames: Record<UserStatus, string> = {
  active: styles.active.label,
  inactive: styles.inactive.label,
  suspended: styles.suspended.label,
};

export function UserStatusBadge({ status, size }: { status: UserStatus; size?: 'xs' }) {
  const { label, tone, icon: Icon } = styles[status];
  return (
    <Badge tone={tone} size={size} icon={<Icon aria-hidden="true" />}>
      {label}
    </Badge>
  );
}
