import type { Role } from '@waybill/contract';
import { UserRound } from 'lucide-react';
import { texts } from '../platform/texts.ts';
import { Badge } from '../ui/Badge.tsx';
import { roleTones } from './role-names.ts';

/** Outlined and with a person icon, so that it is not mistaken for a status of the same colour. */
export function RoleBadge({ role }: { role: Role }) {
  return (
    <Badge tone={roleTones[role]} variant="outlined" icon={<UserRound aria-hidden="true" />}>
      {texts.roles[role]}
    </Badge>
  );
}
