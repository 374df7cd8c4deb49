import { given } from '../platform/given.ts';
import type { Session } from '../platform/session.ts';
import { denialOf } from '../users/access.ts';
import type { Requirement } from '../users/access.ts';
import { legalLinks } from './legal-links.ts';
import { applicationPaths } from './paths.ts';

interface PlaceOf {
  label: string;
  /** 'g d': pressed one after the other. */
  keys?: string;
  /** As the guard of its route. */
  for: Requirement | 'everybody' | 'visitors';
}

/** Where one can go from anywhere; null for what needs a reason to be opened. The compiler asks for every page. */
const places: Record<keyof typeof applicationPaths, PlaceOf | null> = {
  login: { label: 'Sign In', keys: 'g l', for: 'visitors' },
  register: { label: 'Register', for: 'visitors' },
  forgot: null,
  reset: null,
  newPassword: null,
  secondFactor: null,
  ownerDashboard: { label: 'Package Owner Dashboard', keys: 'g d', for: { roles: ['owner'] } },
  driverDashboard: { label: 'Driver Dashboard', keys: 'g d', for: { roles: ['driver'] } },
  adminDashboard: { label: 'Admin Dashboard', keys: 'g d', for: { roles: ['admin'] } },
  packageDetail: null,
  editPackage: null,
  ownerIncidents: { label: 'Reported Issues', keys: 'g p', for: { roles: ['owner'] } },
  driverIncidents: { label: 'Reported Issues', keys: 'g p', for: { roles: ['driver'] } },
  receipt: null,
  adminPackage: null,
  adminEditPackage: null,
  adminReceipt: null,
  createPackage: {
    label: 'Create New Package',
    keys: 'c',
    for: { roles: ['owner'], permissions: ['packages.create'] },
  },
  importPackages: {
    label: 'Import Packages',
    keys: 'g i',
    for: { roles: ['owner'], permissions: ['packages.create'] },
  },
  adminUsers: { label: 'User Management', keys: 'g u', for: { permissions: ['admin.manage_users'] } },
  adminReports: {
    label: 'Reports',
    keys: 'g r',
    for: { permissions: ['admin.access', 'admin.view_analytics'], requireAll: true },
  },
  adminSchedule: { label: 'Driver Schedule', keys: 'g s', for: { permissions: ['deliveries.assign'] } },
  adminInventory: { label: 'Inventory', keys: 'g w', for: { permissions: ['packages.view_all'] } },
  adminSettings: {
    label: 'System Settings',
    keys: 'g o',
    for: { permissions: ['admin.system_config', 'roles.read'] },
  },
  adminAudit: { label: 'Audit Log', keys: 'g e', for: { permissions: ['admin.system_config'] } },
  adminNotifications: { label: 'Sent Notifications', keys: 'g m', for: { permissions: ['admin.access'] } },
  notifications: { label: 'Notifications', keys: 'g n', for: {} },
  notificationPreferences: { label: 'Notification Preferences', for: {} },
  account: { label: 'Account', keys: 'g a', for: {} },
  landing: { label: 'Home', keys: 'g h', for: 'everybody' },
  track: { label: 'Track Package', keys: 'g t', for: 'everybody' },
  trackOne: null,
  about: { label: 'About Us', for: 'everybody' },
  contact: { label: 'Contact', for: 'everybody' },
};

export interface Place extends Omit<PlaceOf, 'for'> {
  href: string;
}

/** The pages that somebody may see, their own first. */
export function placesFor(who: Pick<Session, 'user' | 'permissions'>): Place[] {
  const own = Object.entries(places).flatMap(([name, place]) =>
    place && maySee(place.for, who)
      ? [{ label: place.label, keys: place.keys, href: applicationPaths[name as keyof typeof applicationPaths] }]
      : [],
  );
  return [...own, ...legalLinks(given?.apiDocs ?? true)];
}

/** Whether somebody may open a page. */
export function mayOpen(name: keyof typeof places, who: Pick<Session, 'user' | 'permissions'>): boolean {
  const place = places[name];
  return place !== null && maySee(place.for, who);
}

function maySee(wanted: PlaceOf['for'], who: Pick<Session, 'user' | 'permissions'>): boolean {
  if (wanted === 'everybody') return true;
  if (wanted === 'visitors') return who.user === null;
  return denialOf(who, wanted) === null;
}
