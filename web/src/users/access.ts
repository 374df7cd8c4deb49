import { messages } from '@waybill/contract';
import type { Permission, Role } from '@waybill/contract';
import type { FrameUser } from '../platform/last-session.ts';
import type { Session } from '../platform/session.ts';
import type { Toast } from '../platform/toasts.ts';

/** The access rule of a page or button. Any one permission suffices unless `requireAll`; the role must be one of `roles`. */
export interface Requirement {
  permissions?: readonly Permission[];
  roles?: readonly Role[];
  requireAll?: boolean;
}

/** The page that a visitor requested before signing in, with its access rule. Kept in the history state of the login page. */
export interface RequestedPage {
  href: string;
  requirement: Requirement;
}

/** The URL of the requested page, if the session may open it; otherwise null. Rejects other sites, such as '//host' (open redirect). */
export function allowedHref(
  requested: RequestedPage | undefined,
  session: Pick<Session, 'user' | 'permissions'>,
): string | null {
  if (!requested || !/^\/(?![/\\])/.test(requested.href)) return null;
  return accessDenial(session, requested.requirement) === null ? requested.href : null;
}

export type AccessDenial = Required<Pick<Toast, 'title' | 'description'>> & {
  goTo: 'login' | 'new password' | 'second factor' | 'fallback';
};

/** Why access is denied, as the texts of the guard's toast; null if it is allowed. */
export function accessDenial(
  { user, permissions: held }: Pick<Session, 'permissions'> & { user: FrameUser | null },
  required: Requirement,
): AccessDenial | null {
  const { permissions = [], roles = [], requireAll = false } = required;
  if (!user)
    return { title: 'Authentication Required', description: 'Please log in to access this resource', goTo: 'login' };
  if (user.status !== 'active')
    return { title: 'Account Suspended', description: messages.notActive, goTo: 'fallback' };

  if (user.mustChangePassword)
    return { title: 'New Password Required', description: messages.passwordChangeRequired, goTo: 'new password' };

  if (user.mustSetUpSecondFactor)
    return { title: 'Second Factor Required', description: messages.secondFactorRequired, goTo: 'second factor' };

  const holds = (permission: Permission) => held.includes(permission);
  const sufficient = permissions.length === 0 || (requireAll ? permissions.every(holds) : permissions.some(holds));
  if (!sufficient) {
    const quantity = requireAll ? 'all' : 'one';
    return denied(`You need ${quantity} of these permissions: ${permissions.join(', ')}`);
  }
  if (roles.length > 0 && !roles.includes(user.role)) return denied(`You need one of these roles: ${roles.join(', ')}`);
  return null;
}

const denied = (description: string): AccessDenial => ({ title: 'Access Denied', description, goTo: 'fallback' });
