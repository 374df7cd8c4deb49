import type { Permission, PermissionHolder, Role } from '@waybill/contract';

/** Who is calling: an account with an open session. */
export interface Actor {
  id: string;
  role: Role;
  status: PermissionHolder['status'];
  /** Effective in this session. */
  permissions: readonly Permission[];
  /** Permissions that the account got after this session was opened: effective only after signing in again. */
  gained: readonly Permission[];
  /** Permissions of the account when the session was opened; null if an older server opened it. */
  openedWith: readonly Permission[] | null;
  /** Signed in with a one-time password that must be replaced first. */
  mustChangePassword: boolean;
  /** An administrator without a second factor, where the settings require one. */
  mustSetUpSecondFactor: boolean;
  sessionId: string;
}

/** How requests and streams look up sessions. */
export interface Sessions {
  /** The cached caller of a token; null if it is not cached. */
  findCached(token: string): Actor | null;
  /** The caller of a token, from the cache or the database; null if the session does not exist or has ended. */
  find(token: string): Promise<Actor | null>;
  /** The present caller of an open session, from the database; null if it has ended. */
  findById(sessionId: string): Promise<Actor | null>;
  /** Whether the user entered the password in this session within the last 15 minutes. Not cached: another process may set it. */
  isProved(sessionId: string): Promise<boolean>;
  /** Invalidates all cached sessions: one has ended, or somebody's rights have changed. */
  clearCache(): void;
}
