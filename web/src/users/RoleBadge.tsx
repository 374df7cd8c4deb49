import type { Role } from '@waybill/contract';
import { UserRound } from 'lucide-react';
import { Badge } from '../ui/Badge.tsx';
import { roleNames, roleTones } from './role-names.ts';

/** Outlined with a person, so that it is never taken for a status of the same colour. */
export function RoleBadge({ role }: { role: Role }) {
  return (
    <Badge tone={roleTones[role]} variant="outlined" icon={<UserRound aria-hidden="true" />}>
      {roleNames[role]}
    </Badge>
  );
}
