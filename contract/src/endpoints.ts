import { absences } from './absences.ts';
import { addresses, places } from './addresses.ts';
import { audit } from './audit.ts';
import { clientErrors } from './client-errors.ts';
import { contact } from './contact.ts';
import { deliveries } from './deliveries.ts';
import { depots } from './depots.ts';
import { dispatch } from './dispatch.ts';
import { persons } from './persons.ts';
import { plans } from './plans.ts';
import { positions } from './positions.ts';
import { images } from './images.ts';
import { incidents } from './incidents.ts';
import { inventory } from './inventory.ts';
import { labels } from './labels.ts';
import { map } from './map-uploads.ts';
import { notifications } from './notifications.ts';
import { offers } from './offers.ts';
import { packages } from './packages.ts';
import { recipients } from './recipient-links.ts';
import { roleDefinitions } from './roles.ts';
import { routes } from './routes.ts';
import { settings } from './settings.ts';
import { shifts } from './shifts.ts';
import { stats } from './stats.ts';
import { templates } from './templates.ts';
import { live, tracking } from './tracking.ts';
import { auth, users } from './users.ts';

/** Every endpoint of the product, by group. The server binds them, the client calls them, the access test iterates over them. */
export const endpoints = {
  auth,
  images,
  users,
  roles: roleDefinitions,
  packages,
  labels,
  deliveries,
  depots,
  places,
  addresses,
  map,
  routes,
  plans,
  offers,
  positions,
  dispatch,
  shifts,
  absences,
  tracking,
  recipients,
  live,
  incidents,
  contact,
  notifications,
  templates,
  settings,
  audit,
  persons,
  clientErrors,
  stats,
  inventory,
};
