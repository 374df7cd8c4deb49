import * as z from 'zod/mini';
import {
  ById,
  Email,
  Id,
  Instant,
  ListQuery,
  SortedCursor,
  blankToNull,
  paging,
  sortOf,
  text,
  trueOrFalse,
} from './common.ts';
import { group } from './endpoint.ts';
import { ImageInput } from './images.ts';
import { Address, AddressInput } from './packages.ts';
import { Permission, PermissionList, Role } from './permission-schemas.ts';
import { userStatuses } from './permissions.ts';
import { Place, PositionInput } from './places.ts';
import { maxGramsPerKm, vehicleSkills } from './vehicles.ts';

export const UserStatus = z.enum(userStatuses);
export type UserStatus = z.output<typeof UserStatus>;

export const Password = z.string('Password must be at least 6 characters').check(
  z.minLength(6, 'Password must be at least 6 characters'),
  z.maxLength(128, 'Password must be at most 128 characters'),
  z.refine((value) => value.isWellFormed(), 'Password contains characters that are not allowed'),
);

const Name = text('Name', { min: 2, max: 120, tooShort: 'Name must be at least 2 characters' });

export const VehicleInfo = z.object({
  type: z.nullable(z.string()),
  model: z.nullable(z.string()),
  licensePlate: z.nullable(z.string()),
});

/** A driver's vehicle as the driver and staff see it. Packages that need skills that it lacks are not planned for it. */
export const Vehicle = z.extend(VehicleInfo, {
  /** null: without a limit. */
  capacityKg: z.nullable(z.number()),
  maxStops: z.nullable(z.int()),
  skills: z.array(z.enum(vehicleSkills)),
  /** CO2 in g/km; null: what is usual for its type. */
  gramsPerKm: z.nullable(z.int()),
});
export type Vehicle = z.output<typeof Vehicle>;

export const User = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  /** The custom role, or the built-in one of `role`. */
  roleId: z.string(),
  /** The user's own list; null: the role's list applies. */
  permissions: z.nullable(z.array(Permission)),
  permissionsInForce: z.array(Permission),
  status: UserStatus,
  /** Registered, and not yet approved or rejected by an administrator. */
  awaitsApproval: z.boolean(),
  /** Signed in with a one-time password: nothing works until the user has set a new password. */
  mustChangePassword: z.boolean(),
  /** Whether signing in also requires a code of an authenticator app. */
  secondFactor: z.boolean(),
  /** Only in the caller's own account, and only while it is true: nothing works before a second factor is set up. */
  mustSetUpSecondFactor: z.optional(z.boolean()),
  /** When the user last requested a password reset that is still open. */
  passwordResetRequestedAt: z.nullable(Instant),
  lastLogin: z.nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
  phone: z.nullable(z.string()),
  profilePicture: z.nullable(z.string()),
  yearsOfExperience: z.nullable(z.number()),
  vehicleInfo: z.nullable(Vehicle),
  currentLocation: z.nullable(z.string()),
  /** Where a driver's routes begin and end; null: at the depot. */
  startPlace: z.nullable(Place),
  endPlace: z.nullable(Place),
  /** Where an owner's packages go back to. */
  returnAddress: z.nullable(Address),
});
export type User = z.output<typeof User>;

/** The caller's own account; `permissionsInForce` is what this session may do. */
export const CurrentUser = z.extend(User, {
  /** Present and true while the account has permissions that it gained after this session was opened: signing in again grants them. */
  gainedRights: z.optional(z.boolean()),
});
export type CurrentUser = z.output<typeof CurrentUser>;

/** The reply of login and register: the user and the new session's token, which is never returned again. */
export const SignedIn = z.extend(User, { token: z.string() });
export type SignedIn = z.output<typeof SignedIn>;

/** Six digits of an authenticator app (TOTP), or a recovery code. Spaces and hyphens are ignored. */
const Code = z
  .string('Please enter the code')
  .check(z.trim(), z.minLength(1, 'Please enter the code'), z.maxLength(40, 'This code is too long'));

export const LoginInput = z.strictObject({ email: Email, password: Password, code: z.optional(Code) });

const PresentPassword = z
  .string('Please enter your password')
  .check(z.minLength(1, 'Please enter your password'), z.maxLength(128));
/** Reauthentication of a signed-in user. */
export const ConfirmPasswordInput = z.strictObject({ password: PresentPassword });
export const ConfirmCodeInput = z.strictObject({ code: Code });
export const ReauthenticationInput = z.extend(ConfirmPasswordInput, { code: Code });
export type ReauthenticationInput = z.output<typeof ReauthenticationInput>;

/** For an authenticator app, to type or as a QR code. Returned only once. */
export const TotpSecret = z.object({ secret: z.string(), url: z.string() });
export type TotpSecret = z.output<typeof TotpSecret>;

/** Each replaces a code for one sign-in. Returned only once. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
export type RecoveryCodes = z.output<typeof RecoveryCodes>;

export const RegisterInput = z.strictObject({
  name: Name,
  email: Email,
  password: Password,
  role: z._default(Role, 'owner'),
});

const vehicleField = (label: string) => z.optional(blankToNull(text(label, { max: 80 })));

const between = (label: string, from: number, to: number) =>
  `${label} must be from ${from} to ${to.toLocaleString('en')}`;
const capacityRange = between('Capacity', 1, 50_000);
const stopsRange = between('Most stops', 1, 500);
const emissionRange = between('CO2', 0, maxGramsPerKm);

/** Without one of its first three fields it is cleared; capacity, most stops, skills and CO2 keep their value. */
export const VehicleInput = z.strictObject({
  type: vehicleField('Vehicle type'),
  model: vehicleField('Vehicle model'),
  licensePlate: vehicleField('License plate'),
  capacityKg: z.optional(
    z.nullable(
      z.number('Capacity must be a number').check(z.minimum(1, capacityRange), z.maximum(50_000, capacityRange)),
    ),
  ),
  maxStops: z.optional(
    z.nullable(z.int('Most stops must be a whole number').check(z.minimum(1, stopsRange), z.maximum(500, stopsRange))),
  ),
  skills: z.optional(
    z
      .array(z.enum(vehicleSkills))
      .check(z.refine((skills) => new Set(skills).size === skills.length, 'Each skill only once')),
  ),
  gramsPerKm: z.optional(
    z.nullable(
      z.int('CO2 must be a whole number').check(z.minimum(0, emissionRange), z.maximum(maxGramsPerKm, emissionRange)),
    ),
  ),
});
export type VehicleInput = z.output<typeof VehicleInput>;

const Years = z
  .int('Years of experience must be a whole number')
  .check(
    z.minimum(0, 'Years of experience must be from 0 to 80'),
    z.maximum(80, 'Years of experience must be from 0 to 80'),
  );

/** Read-only fields: accepted from clients that send the whole user back, and ignored. */
const serverOwned = {
  id: z.optional(z.unknown()),
  email: z.optional(z.unknown()),
  password: z.optional(z.unknown()),
  permissionsInForce: z.optional(z.unknown()),
  awaitsApproval: z.optional(z.unknown()),
  mustChangePassword: z.optional(z.unknown()),
  secondFactor: z.optional(z.unknown()),
  mustSetUpSecondFactor: z.optional(z.unknown()),
  passwordResetRequestedAt: z.optional(z.unknown()),
  lastLogin: z.optional(z.unknown()),
  createdAt: z.optional(z.unknown()),
  updatedAt: z.optional(z.unknown()),
  gainedRights: z.optional(z.unknown()),
  // From the replies of login, register and create.
  token: z.optional(z.unknown()),
  temporaryPassword: z.optional(z.unknown()),
};

/** As a pin; a place that is sent back whole is accepted. */
const PlaceToKeep = z.object(PositionInput.shape);

export const ProfileInput = z.extend(z.strictObject(serverOwned), {
  role: z.optional(z.unknown()),
  roleId: z.optional(z.unknown()),
  status: z.optional(z.unknown()),
  permissions: z.optional(z.unknown()),
  name: z.optional(Name),
  phone: z.optional(
    blankToNull(
      z.string().check(z.regex(/^\+[1-9]\d{6,14}$/, 'Phone must be in international form, like +4915112345678')),
    ),
  ),
  yearsOfExperience: z.optional(z.nullable(Years)),
  vehicleInfo: z.optional(z.nullable(VehicleInput)),
  currentLocation: z.optional(blankToNull(text('Current location'))),
  startPlace: z.optional(z.nullable(PlaceToKeep)),
  endPlace: z.optional(z.nullable(PlaceToKeep)),
  profilePicture: z.optional(blankToNull(ImageInput)),
  returnAddress: z.optional(z.nullable(AddressInput)),
});
export type ProfileInput = z.output<typeof ProfileInput>;

/**
 * What happens to a driver's deliveries on the road: they stay with the driver (`keep`, the default), wait for a driver again
 * (`release`), or go to another active driver. All but `keep` require `deliveries.assign`.
 */
export const DeliveriesInput = z.union(
  [z.enum(['keep', 'release']), z.strictObject({ driverId: Id })],
  'Must be keep, release or { driverId }',
);
export type DeliveriesInput = z.output<typeof DeliveriesInput>;

/** What an administrator may change. Other fields of the profile are ignored: only the user edits them. */
export const UserUpdateInput = z.extend(z.strictObject(serverOwned), {
  profilePicture: z.optional(z.unknown()),
  phone: z.optional(z.unknown()),
  yearsOfExperience: z.optional(z.unknown()),
  vehicleInfo: z.optional(z.nullable(VehicleInput)),
  startPlace: z.optional(z.nullable(PlaceToKeep)),
  endPlace: z.optional(z.nullable(PlaceToKeep)),
  currentLocation: z.optional(z.unknown()),
  returnAddress: z.optional(z.unknown()),
  name: z.optional(Name),
  role: z.optional(Role),
  /** A custom role, or a built-in one, or null for none. A built-in one also sets `role` where `role` is omitted. */
  roleId: z.optional(z.nullable(Id)),
  status: z.optional(UserStatus),
  permissions: z.optional(z.nullable(PermissionList)),
  deliveries: z.optional(DeliveriesInput),
});
export type UserUpdateInput = z.output<typeof UserUpdateInput>;

/**
 * An account created by an administrator: an owner, unless `role` or a built-in `roleId` is set. Without a password it gets a random
 * one-time password.
 */
export const CreateUserInput = z.strictObject({
  name: Name,
  email: Email,
  role: z.optional(Role),
  /** A custom or built-in role, as in UserUpdateInput. Requires `users.manage_roles`. */
  roleId: z.optional(z.nullable(Id)),
  status: z._default(UserStatus, 'active'),
  password: z.optional(blankToNull(Password)),
  /** Instead of a password: a link by email that sets one, for seven days. Needs a mail server and PUBLIC_URL. */
  invite: z.optional(z.boolean()),
});
export type CreateUserInput = z.output<typeof CreateUserInput>;

/** `temporaryPassword` is returned only once: null if the request set the password, and in the reply to a repeated request. */
export const CreatedUser = z.extend(User, { temporaryPassword: z.nullable(z.string()) });
export type CreatedUser = z.output<typeof CreatedUser>;

/** A password reset link, to hand to the user. It works once, until `expiresAt`. */
export const ResetLink = z.object({ url: z.string(), expiresAt: Instant });
export type ResetLink = z.output<typeof ResetLink>;

/**
 * The driver of a package, for its owner. `status` is `active`, `busy` while one of their deliveries is in transit, or `unavailable`
 * while the account is not active, for any reason.
 */
export const DriverInfo = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  profilePicture: z.nullable(z.string()),
  status: z.string(),
  createdAt: Instant,
  rating: z.nullable(z.number()),
  totalDeliveries: z.number(),
  yearsOfExperience: z.nullable(z.number()),
  vehicleInfo: z.nullable(VehicleInfo),
  currentLocation: z.nullable(z.string()),
  estimatedDeliveryTime: z.nullable(Instant),
});
export type DriverInfo = z.output<typeof DriverInfo>;

const UserFilters = z.extend(ListQuery, {
  role: z.optional(Role),
  status: z.optional(UserStatus),
  /** Only those that await approval. */
  awaitsApproval: z.optional(trueOrFalse('awaitsApproval')),
});
/** The newest first, or by `sort`; accounts that never signed in have the earliest `lastLogin`. */
export const UserListQuery = z.extend(UserFilters, {
  sort: sortOf(['createdAt', 'name', 'email', 'role', 'status', 'lastLogin']),
  cursor: SortedCursor,
});
export const UserExportQuery = z.omit(UserFilters, paging);

/** One signed-in browser or device. */
export const Session = z.object({
  id: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant,
  userAgent: z.nullable(z.string()),
  /** Where it was opened: an IPv4 address, or the /64 prefix of an IPv6 address. */
  address: z.nullable(z.string()),
  /** Whether this request belongs to it. */
  current: z.boolean(),
});
export type Session = z.output<typeof Session>;

export const SignUpPolicy = z.enum(['open', 'approval', 'closed'], 'must be open, approval or closed');
export type SignUpPolicy = z.output<typeof SignUpPolicy>;

export const auth = group({
  login: {
    method: 'POST',
    path: '/auth/login',
    limit: 'own',
    load: 'sign',
    access: 'public',
    scope: 'none',
    body: LoginInput,
    reply: SignedIn,
    errors: ['invalid_credentials', 'totp_required', 'totp_wrong'],
  },
  register: {
    method: 'POST',
    path: '/auth/register',
    limit: 'own',
    load: 'sign',
    access: 'public',
    scope: 'none',
    body: RegisterInput,
    reply: SignedIn,
    status: 201,
    errors: ['email_taken', 'sign_up_closed'],
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    repeats: 'are executed again',
    // A separate limit: an exhausted write limit must not prevent signing out.
    limit: 'signOut',
    access: 'session',
    scope: 'self',
    reply: 'none',
  },
  /** Requests a password reset. The reply and its timing are the same whether or not the account exists, against account enumeration. */
  forgot: {
    method: 'POST',
    path: '/auth/forgot',
    limit: 'own',
    load: 'sign',
    access: 'public',
    scope: 'none',
    body: z.strictObject({ email: Email }),
    reply: z.object({ message: z.string() }),
    status: 202,
  },
  /** Sets a new password with the token of a reset link, and ends every session of the account. */
  reset: {
    method: 'POST',
    path: '/auth/reset',
    limit: 'own',
    load: 'sign',
    access: 'public',
    scope: 'none',
    body: z.strictObject({ token: z.string().check(z.maxLength(200)), password: Password }),
    reply: 'none',
  },
  /** Reauthentication: for 15 minutes no endpoint requires the password again. */
  confirm: {
    method: 'POST',
    path: '/auth/confirm',
    repeats: 'are executed again',
    load: 'sign',
    access: 'active',
    scope: 'self',
    body: ConfirmPasswordInput,
    reply: 'none',
    withoutSecondFactor: true,
  },
  /** Which roles the sign-up form may offer, and which need approval. Public, as the form needs it before an account exists. */
  signUpPolicy: {
    method: 'GET',
    path: '/auth/sign-up',
    access: 'public',
    scope: 'none',
    reply: z.object({
      owner: SignUpPolicy,
      driver: SignUpPolicy,
      admin: SignUpPolicy,
      /** Links for passwords go out by email. */
      byMail: z.optional(z.literal(true)),
    }),
  },
});

export const users = group({
  me: {
    method: 'GET',
    path: '/users/me',
    failure: 'Failed to fetch user data.',
    access: 'session',
    scope: 'self',
    reply: CurrentUser,
  },
  updateProfile: {
    method: 'PUT',
    path: '/users/profile',
    access: 'active',
    scope: 'self',
    body: ProfileInput,
    reply: User,
    errors: ['illegal_step'],
  },
  changePassword: {
    method: 'PUT',
    path: '/users/me/password',
    limit: 'own',
    load: 'sign',
    access: 'active',
    scope: 'self',
    body: z.strictObject({ currentPassword: z.string().check(z.maxLength(128)), newPassword: Password }),
    reply: 'none',
    withOneTimePassword: true,
    withoutSecondFactor: true,
  },
  /**
   * Erases the caller's account and its personal data, as when an administrator deletes it. Rejected for a driver with deliveries on the
   * road and for the last active administrator.
   */
  removeOwn: {
    method: 'DELETE',
    path: '/users/me',
    summary: 'Delete the caller’s account',
    limit: 'own',
    load: 'sign',
    access: 'active',
    scope: 'self',
    body: z.strictObject({ password: z.string().check(z.maxLength(128)) }),
    reply: 'none',
    errors: ['conflict'],
  },
  startTotp: {
    method: 'POST',
    path: '/users/me/totp',
    summary: 'Start setting up a second factor; it is not required until it is confirmed',
    access: 'active',
    scope: 'self',
    reply: TotpSecret,
    holdsSecret: true,
    reauthenticate: true,
    withoutSecondFactor: true,
    errors: ['conflict'],
  },
  confirmTotp: {
    method: 'PUT',
    path: '/users/me/totp/confirm',
    summary: 'Confirm a second factor with a code; from then on signing in requires one',
    access: 'active',
    scope: 'self',
    body: ConfirmCodeInput,
    reply: RecoveryCodes,
    withoutSecondFactor: true,
    errors: ['conflict'],
  },
  cancelTotp: {
    method: 'DELETE',
    path: '/users/me/totp/pending',
    summary: 'Cancel setting up a second factor; one that is confirmed stays',
    access: 'active',
    scope: 'self',
    reply: 'none',
  },
  removeTotp: {
    method: 'DELETE',
    path: '/users/me/totp',
    load: 'sign',
    access: 'active',
    scope: 'self',
    body: ReauthenticationInput,
    reply: 'none',
  },
  /** Replaces all existing codes. */
  makeRecoveryCodes: {
    method: 'POST',
    path: '/users/me/recovery-codes',
    load: 'sign',
    access: 'active',
    scope: 'self',
    body: ReauthenticationInput,
    reply: RecoveryCodes,
    status: 201,
    holdsSecret: true,
    errors: ['conflict'],
  },
  sessions: { method: 'GET', path: '/users/me/sessions', access: 'active', scope: 'self', reply: z.array(Session) },
  endSession: {
    method: 'DELETE',
    path: '/users/me/sessions/:id',
    access: 'active',
    scope: 'self',
    params: ById,
    reply: 'none',
  },
  list: {
    method: 'GET',
    path: '/users',
    access: { anyOf: ['admin.manage_users'] },
    scope: 'everything',
    query: UserListQuery,
    reply: z.array(User),
    list: true,
  },
  exportAll: {
    method: 'GET',
    path: '/users/export',
    access: { anyOf: ['admin.manage_users'] },
    scope: 'everything',
    query: UserExportQuery,
    reply: 'csv',
  },
  create: {
    method: 'POST',
    path: '/users',
    load: 'sign',
    access: { anyOf: ['users.create'] },
    scope: 'everything',
    body: CreateUserInput,
    reply: CreatedUser,
    status: 201,
    reauthenticate: true,
    errors: ['email_taken'],
  },
  /** The caller's own account; any account with `admin.manage_users`. */
  get: {
    method: 'GET',
    path: '/users/:id',
    access: { anyOf: ['users.read', 'admin.manage_users'] },
    scope: 'self',
    params: ById,
    reply: User,
  },
  update: {
    method: 'PUT',
    path: '/users/:id',
    access: { anyOf: ['users.update'] },
    scope: 'everything',
    params: ById,
    body: UserUpdateInput,
    reply: User,
    reauthenticate: true,
    errors: ['conflict'],
  },
  /** Erases the personal data. The user's events stay in the history of packages, without a name. */
  remove: {
    method: 'DELETE',
    path: '/users/:id',
    access: { anyOf: ['users.delete'] },
    scope: 'everything',
    params: ById,
    body: z.nullish(z.strictObject({ deliveries: z.optional(DeliveriesInput) })),
    reply: 'none',
    reauthenticate: true,
    errors: ['conflict'],
  },
  /** For a lost phone: signing in requires only the password until the user sets up a new second factor. */
  removeTotpOf: {
    method: 'DELETE',
    path: '/users/:id/totp',
    access: { anyOf: ['users.update'] },
    scope: 'everything',
    params: ById,
    reply: 'none',
    reauthenticate: true,
  },
  sessionsOf: {
    method: 'GET',
    path: '/users/:id/sessions',
    summary: 'List the sessions of an account',
    access: { anyOf: ['users.update'] },
    scope: 'everything',
    params: ById,
    reply: z.array(Session),
  },
  /** Signs the account out everywhere. */
  endSessionsOf: {
    method: 'DELETE',
    path: '/users/:id/sessions',
    access: { anyOf: ['users.update'] },
    scope: 'everything',
    params: ById,
    reply: 'none',
  },
  endSessionOf: {
    method: 'DELETE',
    path: '/users/:id/sessions/:sessionId',
    access: { anyOf: ['users.update'] },
    scope: 'everything',
    params: z.extend(ById, { sessionId: Id }),
    reply: 'none',
  },
  /**
   * For the administrator to hand out. A new link replaces the previous one. A change of the account's role, rights or status revokes it,
   * and so does the creator's loss of the right to create it.
   */
  resetLink: {
    method: 'POST',
    path: '/users/:id/reset-link',
    access: { anyOf: ['users.update'] },
    scope: 'everything',
    params: ById,
    reply: ResetLink,
    status: 201,
    holdsSecret: true,
    errors: ['public_url_missing'],
    reauthenticate: true,
  },
  /** To somebody who has never signed in. The link before it stops. */
  invite: {
    method: 'POST',
    path: '/users/:id/invitation',
    summary: 'Send an invitation again: a link by email that sets a password',
    access: { anyOf: ['users.create'] },
    scope: 'everything',
    params: ById,
    reply: 'none',
    limit: 'own',
    errors: ['conflict'],
  },
});
