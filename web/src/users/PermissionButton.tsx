import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import type { ButtonProps } from '../ui/Button.tsx';
import { accessDenial } from './access.ts';
import type { Requirement } from './access.ts';

interface PermissionButtonProps extends ButtonProps, Requirement {
  /** Without permission the button is hidden, or disabled and explains why when clicked. */
  whenDenied?: 'hide' | 'disable';
}

export function PermissionButton({
  permissions,
  roles,
  requireAll,
  whenDenied = 'hide',
  onClick,
  ...rest
}: PermissionButtonProps) {
  const denial = accessDenial(useSession(), { permissions, roles, requireAll });
  if (!denial) return <Button {...rest} onClick={onClick} />;
  if (whenDenied === 'hide') return null;
  // `aria-disabled` instead of `disabled`: a disabled button gets no click and could not explain.
  const explain = () => toast({ title: 'Access Denied', description: denial.description, variant: 'destructive' });
  return <Button {...rest} type="button" aria-disabled="true" onClick={explain} />;
}
