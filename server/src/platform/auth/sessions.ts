import type { Permission, PermissionHolder, Role } from '@waybill/contract';

/** Who is calling: an account with an open session. */
export interface Actor {
  id: string;
  role: Role;
  status: PermissionHolder['status'];
  /** In force in this session. */
  permissions: readonly Permission[];
  /** What the account may do, and this session not yet: it is older than those rights. */
  gained: readonly Permission[];
  /** What the account could do when the session was opened; null where an older server opened it. */
  openedWith: readonly Permission[] | null;
  /** Signed in with a one-time password that is still to be replaced. */
  mustChangePassword: boolean;
  /** Administers without a second factor where the settings ask for one. */
  mustSetUpSecondFactor: boolean;
  sessionId: string;
}

/** What requests and streams ask whoever keeps the sessions. */
export interface Sessions {
  /** The caller behind a token, where the database need not be asked. */
  findCached(token: string): Actor | null;
  /** The caller behind a token, or null. */
  find(token: string): Promise<Actor | null>;
  /** The caller behind an open session as things are now, or null when it has ended. */
  findById(sessionId: string): Promise<Actor | null>;
  /** Whether its user gave the password in it within the last 15 minutes. Never remembered: it becomes true in another process too. */
  isProved(sessionId: string): Promise<boolean>;
  /** Asks the database again for everybody: a session ended, or somebody's rights changed. */
  clearCache(): void;
}
