import type { User } from '@waybill/contract';
import {
  Ban,
  CircleCheck,
  Ellipsis,
  KeyRound,
  Link,
  Mail,
  MonitorSmartphone,
  Pencil,
  SmartphoneNfc,
  SquareCheck,
  Trash2,
} from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { toast } from '../platform/toasts.ts';
import { useSession } from '../platform/session.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Menu } from '../ui/Menu.tsx';
import { MenuItem } from '../ui/MenuItem.tsx';
import { useInvite } from './admin-queries.ts';
import { signUpPolicyQuery } from './queries.ts';

interface UserActionsProps {
  user: User;
  onShowPermissions: () => void;
  onEdit: () => void;
  onActivate: () => void;
  onSuspend: () => void;
  onMakeLink: () => void;
  onShowSessions: () => void;
  onRemoveSecondFactor: () => void;
  onSelect: () => void;
  onDelete: () => void;
}

/** What can be done with an account of the list: the next step as a button, the rest in words; deleting last. */
export function UserActions({ user, ...on }: UserActionsProps) {
  const { permissions } = useSession();
  const { data: policy } = useQuery({ ...signUpPolicyQuery, enabled: permissions.includes('users.create') });
  const invite = useInvite();
  const mayUpdate = permissions.includes('users.update');
  return (
    <>
      {mayUpdate && user.awaitsApproval && (
        <span className="mr-1">
          <Button size="sm" variant="secondary" aria-label={`Approve ${user.name}`} onClick={on.onActivate}>
            Approve
          </Button>
        </span>
      )}
      {mayUpdate && !user.awaitsApproval && (
        <span className="opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 max-md:hidden pointer-coarse:hidden">
          <IconButton size="sm" label={`Edit ${user.name}`} icon={<Pencil aria-hidden="true" />} onClick={on.onEdit} />
        </span>
      )}
      <Menu
        trigger={
          <IconButton size="sm" label={`More actions for ${user.name}`} icon={<Ellipsis aria-hidden="true" />} />
        }
      >
        <MenuItem icon={<KeyRound aria-hidden="true" />} onSelect={on.onShowPermissions}>
          View permissions
        </MenuItem>
        {mayUpdate && (
          <>
            <MenuItem icon={<Pencil aria-hidden="true" />} onSelect={on.onEdit}>
              Edit
            </MenuItem>
            <MenuItem icon={<Link aria-hidden="true" />} onSelect={on.onMakeLink}>
              Link for a new password...
            </MenuItem>
            {user.lastLogin === null && permissions.includes('users.create') && policy?.byMail && (
              <MenuItem
                icon={<Mail aria-hidden="true" />}
                onSelect={() =>
                  invite.mutate(user.id, {
                    onSuccess: () => toast({ title: 'Invitation sent', description: user.email }),
                    onError: (error) =>
                      toast({ title: 'No invitation sent', description: error.message, variant: 'destructive' }),
                  })
                }
              >
                Send the invitation again
              </MenuItem>
            )}
            <MenuItem icon={<MonitorSmartphone aria-hidden="true" />} onSelect={on.onShowSessions}>
              Sessions
            </MenuItem>
            {user.secondFactor && (
              <MenuItem icon={<SmartphoneNfc aria-hidden="true" />} onSelect={on.onRemoveSecondFactor}>
                Remove second factor...
              </MenuItem>
            )}
            {user.status === 'active' ? (
              <MenuItem icon={<Ban aria-hidden="true" />} onSelect={on.onSuspend}>
                Suspend...
              </MenuItem>
            ) : (
              <MenuItem icon={<CircleCheck aria-hidden="true" />} onSelect={on.onActivate}>
                Activate...
              </MenuItem>
            )}
            <MenuItem icon={<SquareCheck aria-hidden="true" />} onSelect={on.onSelect}>
              Select
            </MenuItem>
          </>
        )}
        {permissions.includes('users.delete') && (
          <MenuItem danger icon={<Trash2 aria-hidden="true" />} onSelect={on.onDelete}>
            Delete...
          </MenuItem>
        )}
      </Menu>
    </>
  );
}
