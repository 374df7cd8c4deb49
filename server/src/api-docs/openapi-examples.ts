import type { JsonSchema } from './json-schema.ts';

const id = '01990f6e-4c1a-7b52-9d3e-5a7c2f10b8e4';
const picture = '/media/packages/1763888400000-a1b2c3-lamp.jpg';
const token = 'Zk3vQ8sT1xYb7Ra0Lw5nJc2Ue9Hd4MfGp6iXoKzVtBg';

/** Relative to the day on which the document is rendered: the API rejects dates in the past. */
const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const yesterday = `${dayAfter(-1)}T09:30:00.000Z`;
const soon = dayAfter(30);

/**
 * Example values by field name, or by group and name where a name has several meanings. Together they describe one consistent case: a
 * lamp that was registered yesterday and is on the road.
 */
const values: Readonly<Record<string, unknown>> = {
  finishedAt: null,
  total: 3,
  done: 3,
  'notifications.digest': { at: '18:00', timeZone: 'Europe/Berlin' },
  'notifications.quietHours': { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' },
  // These cannot be turned off for any channel.
  'notifications.account.waiting': ['in-app', 'email'],
  'notifications.password.reset-requested': ['in-app', 'email'],
  'notifications.security': ['in-app', 'email'],
  endpoint: 'https://push.example.com/send/5b6f0a2c',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  expirationTime: null,
  pushKey: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  isPushed: true,
  'persons.q': 'anna@example.com',
  'notifications.reason': null,
  'notifications.html': null,
  created: 2,
  failed: 1,
  skipped: 0,
  skippedRows: [],
  'packages.reason': 'Category must be one of the categories',
  fields: { category: 'Category must be one of the categories' },
  cells: { category: 'Lamps' },
  target: 'category',
  missing: [],
  ignoredColumns: ['Tags'],
  token,
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  recoveryCodes: ['7f3k-q2zd-m4xw-9tbn'],
  'auth.message': 'If there is an account with this address, its administrators have been told.',
  roleId: null,
  passwordResetRequestedAt: null,
  permissions: null,
  permissionsInForce: ['packages.read'],
  isActive: true,
  yearsOfExperience: 4,
  model: 'Transit',
  licensePlate: 'HH WB 123',
  currentLocation: 'Hamburg',
  profilePicture: null,
  organisationName: 'Harbour Couriers',
  q: 'Berg',
  logo: null,
  adminTotp: 'optional',
  publicRecipient: 'masked',
  notificationDays: 90,
  messageDays: 365,
  recipientDays: 90,
  importReportDays: 30,
  weightFrom: '0.5',
  weightTo: '20',
  costPerKilometre: 0.45,
  costPerHour: 24,
  currency: 'EUR',
  status: 'in transit',
  arrivedAt: null,
  recordedAt: null,
  completedAt: null,
  actualDeliveryTime: null,
  estimatedDeliveryTime: `${dayAfter(0)}T16:45:00.000Z`,
  failedAttempt: null,
  nextStep: null,
  'packages.issue': null,
  'deliveries.issue': null,
  'deliveries.receivedBy': null,
  'packages.receivedBy': null,
  resolvedAt: null,
  readAt: null,
  firstName: 'Jonas',
  driver: 'Jonas Fahrer',
  packageImages: [picture],
  lon: 9.9658,
  lat: 53.5461,
  accuracy: 'rooftop',
  source: 'photon',
  viewerId: id,
  package: 'PKG-7F3KQ2ZD',
  title: 'Delivery started',
  body: 'Your package “Walnut lamp” is on its way.',
  'tracking.name': 'Walnut lamp',
  'tracking.type': 'delivery.started',
  'stats.name': 'Walnut lamp',
  'inventory.name': 'Walnut lamp',
  stack: 'TypeError: x is undefined',
  'Role.name': 'Dispatcher',
  'roles.name': 'Dispatcher',
  'roles.description': 'Plans shifts and gives out deliveries',
  'depots.name': 'Depot Hamburg',
  'map.name': 'hamburg.osm.pbf',
  'map.size': 1_000_000,
  opensAt: '06:30',
  closesAt: '20:00',
  'packages.name': 'Walnut lamp',
  'images.name': 'lamp.jpg',
  'images.type': 'image/jpeg',
  'images.size': 248_311,
  'images.image': picture,
  id,
  _id: id,
  userId: id,
  ownerId: id,
  packageId: id,
  driverId: id,
  routeId: id,
  depotId: id,
  subjectId: id,
  actorId: id,
  sessionId: id,
  replyTo: 'anna.berg@example.com',
  replyAddress: 'service@example.com',
  trackingId: 'PKG-7F3KQ2ZD',
  reference: '#1001',
  name: 'Anna Berg',
  packageName: 'Walnut lamp',
  description: 'Order #1001: 2 × Walnut lamp, 1 × Linen shade',
  email: 'anna.berg@example.com',
  phone: '+4930445566',
  password: 'pond-heron-7',
  currentPassword: 'pond-heron-7',
  newPassword: 'quiet-otter-12',
  temporaryPassword: 'tidy-maple-41',
  code: '492817',
  category: 'Furniture',
  weight: 2.5,
  width: 30,
  height: 45,
  length: 30,
  recipientName: 'Mara Lindqvist',
  recipientContact: '+49 151 2345678',
  recipientPhone: '+491512345678',
  recipientEmail: 'mara@example.com',
  recipientLanguage: 'de',
  recipientAddress: 'Hafenstraße 12, 20457 Hamburg, Germany',
  street: 'Hafenstraße 12',
  postalCode: '20457',
  city: 'Hamburg',
  country: 'Germany',
  location: 'Depot Hamburg',
  safePlace: 'Behind the shed',
  instructions: 'Ring twice, second floor',
  eta: soon,
  nextDay: soon,
  from: `${soon}T08:00:00.000Z`,
  to: `${soon}T12:00:00.000Z`,
  note: 'Handed to the neighbour on the left',
  reason: 'Nobody was home',
  receivedBy: 'Mara Lindqvist',
  issue: 'The box is damaged at one corner',
  text: 'Please leave it with the neighbour',
  message: 'Where can I collect my parcel?',
  comment: 'Quick and friendly',
  stars: 5,
  limit: 50,
  version: 3,
  checksum: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  page: '/owner/package/$id',
  zone: 'Europe/Berlin',
  timeZone: 'Europe/Berlin',
  startsAt: `${soon}T08:00:00.000Z`,
  endsAt: `${soon}T16:00:00.000Z`,
  line: 12,
  pin: '0417',
  samples: ['#1001', '#1002', '#1003'],
  images: [picture],
};

/** Omitted from request examples: an age check excludes the safe place beside it, images and roles exist only on the reader's server, and `website` is a honeypot. */
const omittedFromRequests = new Set([
  'age',
  'images',
  'photo',
  'signature',
  'profilePicture',
  'logo',
  'roleId',
  'website',
]);

/**
 * An example of a schema, built from the example values of its fields. A request example can be sent unchanged.
 * @param of.group the endpoint's group in the contract
 */
export function exampleOf(
  schema: JsonSchema,
  components: Readonly<Record<string, JsonSchema>>,
  of: { group?: string; name?: string; sent?: boolean } = {},
): unknown {
  const { group = '', name = '', sent = false } = of;
  const inner = (part: unknown, field = name) =>
    exampleOf(part as JsonSchema, components, { group, name: field, sent });
  if (typeof schema.$ref === 'string') return inner(components[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if ('const' in schema) return schema.const;
  const known = [values[`${group}.${name}`], values[name]].find(
    (value) => value !== undefined && fits(value, schema) && !(sent && value === null),
  );
  if (known !== undefined) return known;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  for (const several of [schema.anyOf, schema.oneOf])
    if (Array.isArray(several)) return inner(several.find((one) => (one as JsonSchema).type !== 'null') ?? several[0]);
  if (Array.isArray(schema.allOf))
    return Object.assign({}, ...schema.allOf.map((part) => inner(part) as object)) as unknown;
  if (schema.type === 'object' || schema.properties) return exampleOfObject(schema, inner, sent);
  if (schema.type === 'array') return schema.items ? [inner(schema.items)] : [];
  if (schema.type === 'boolean') return false;
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(Number(schema.minimum ?? 1), 1);
  if (schema.type === 'string') return exampleOfText(schema, name);
  return null;
}

function exampleOfObject(schema: JsonSchema, inner: (part: unknown, field?: string) => unknown, sent: boolean): object {
  const required = new Set((schema.required ?? []) as string[]);
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
    // Fields that are accepted and ignored have no type.
    .filter(([field, part]) => required.has(field) || Object.keys(part).length > 0)
    .filter(([field]) => !sent || required.has(field) || !omittedFromRequests.has(field))
    .map(([field, part]) => [field, inner(part, field)]);
  return Object.fromEntries(fields) as object;
}

function exampleOfText(schema: JsonSchema, name: string): string {
  if (schema.format === 'uuid') return id;
  if (schema.format === 'date-time') return yesterday;
  if (schema.format === 'email') return 'anna.berg@example.com';
  if (schema.format === 'uri' || /url$/i.test(name)) return 'https://waybill.example/track/PKG-7F3KQ2ZD';
  if (/At$|Time$|Update$|^at$/.test(name)) return yesterday;
  if (/^(day|dueBy|from|to|week)$/i.test(name) || schema.pattern === '^\\d{4}-\\d{2}-\\d{2}$') return soon;
  return name.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
}

function fits(value: unknown, schema: JsonSchema): boolean {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.some((one) => fits(value, one as JsonSchema));
  const types = new Set([schema.type].flat());
  if (value === null) return types.has('null');
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  if (typeof value === 'string') {
    if (!types.has('string')) return false;
    if (typeof schema.pattern === 'string' && !new RegExp(schema.pattern, 'u').test(value)) return false;
    return schema.format !== 'date-time' || value.includes('T');
  }
  if (typeof value === 'number') return types.has('number') || types.has('integer');
  if (typeof value === 'boolean') return types.has('boolean');
  return types.has(Array.isArray(value) ? 'array' : 'object');
}
