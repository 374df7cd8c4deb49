import { withoutReference } from './store.ts';

/**
 * Statements that make unique indexes of packages plain ones, where packages are distributed by their id: a distributed table cannot keep a
 * column unique that it is not distributed by. From then on the keys of the directories hold: `public_views` (tracking ID to package) and
 * `package_references` (owner and reference to package), which each write of a package writes with it.
 */
export const leaveKeysToDirectories = [
  'alter table packages drop constraint packages_tracking_id_key',
  'create index packages_tracking_id on packages (tracking_id)',
  'drop index packages_reference',
  `create index packages_reference on packages (owner_id, reference) where reference is not null and status not in ${withoutReference}`,
];
