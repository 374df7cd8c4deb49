import type { JsonSchema } from './json-schema.ts';

const id = '01990f6e-4c1a-7b52-9d3e-5a7c2f10b8e4';
const at = '2026-11-23T09:30:00.000Z';

/** What a field is like, by its name; by its group and name where one name means several things. */
const values: Readonly<Record<string, unknown>> = {
  'Import.id': id,
  'Role.name': 'Dispatcher',
  'roles.name': 'Dispatcher',
  'roles.description': 'Plans shifts and gives out deliveries',
  'packages.name': 'Walnut lamp',
  'images.name': 'lamp.jpg',
  'images.type': 'image/jpeg',
  'images.size': 248_311,
  'images.image': '/media/packages/1763888400000-a1b2c3-lamp.jpg',
  id,
  _id: id,
  userId: id,
  ownerId: id,
  packageId: id,
  driverId: id,
  subjectId: id,
  actorId: id,
  sessionId: id,
  roleId: id,
  replyTo: 'anna.berg@example.com',
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
  recipientPhone: '+49 151 2345678',
  recipientAddress: 'Hafenstraße 12, 20457 Hamburg, Germany',
  street: 'Hafenstraße 12',
  postalCode: '20457',
  city: 'Hamburg',
  country: 'Germany',
  location: 'Depot Hamburg',
  safePlace: 'Behind the shed',
  instructions: 'Ring twice, second floor',
  eta: '2026-11-24',
  from: '2026-11-24T08:00:00.000Z',
  to: '2026-11-24T12:00:00.000Z',
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
  startsAt: '2026-11-24T08:00:00.000Z',
  endsAt: '2026-11-24T16:00:00.000Z',
  line: 12,
  samples: ['#1001', '#1002', '#1003'],
  images: ['/media/packages/1763888400000-a1b2c3-lamp.jpg'],
};

/** An example of what this schema describes, made of what its fields are like. Optional fields that nothing is known of are left out. */
export function exampleOf(
  schema: JsonSchema,
  components: Readonly<Record<string, JsonSchema>>,
  { group = '', name = '', depth = 0 } = {},
): unknown {
  const inner = (part: unknown, field = name) =>
    exampleOf(part as JsonSchema, components, { group, name: field, depth: depth + 1 });
  if (typeof schema.$ref === 'string') return inner(components[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const known = values[`${group}.${name}`] ?? values[name];
  if (known !== undefined && fits(known, schema)) return known;
  for (const several of [schema.anyOf, schema.oneOf])
    if (Array.isArray(several)) return inner(several.find((one) => (one as JsonSchema).type !== 'null') ?? several[0]);
  if (Array.isArray(schema.allOf))
    return Object.assign({}, ...schema.allOf.map((part) => inner(part) as object)) as unknown;
  if (schema.type === 'object' || schema.properties) return exampleOfObject(schema, inner);
  if (schema.type === 'array') return schema.items ? [inner(schema.items)] : [];
  if (schema.type === 'boolean') return false;
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(Number(schema.minimum ?? 1), 1);
  if (schema.type === 'string') return exampleOfText(schema, name);
  return null;
}

function exampleOfObject(schema: JsonSchema, inner: (part: unknown, field?: string) => unknown): object {
  const required = new Set((schema.required ?? []) as string[]);
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
    // What is taken and ignored has no type.
    .filter(([field, part]) => required.has(field) || Object.keys(part).length > 0)
    .map(([field, part]) => [field, inner(part, field)]);
  return Object.fromEntries(fields) as object;
}

function exampleOfText(schema: JsonSchema, name: string): string {
  if (schema.format === 'uuid') return id;
  if (schema.format === 'date-time') return at;
  if (schema.format === 'email') return 'anna.berg@example.com';
  if (schema.format === 'uri' || /url$/i.test(name)) return 'https://waybill.example/track/PKG-7F3KQ2ZD';
  if (/At$|Time$|Update$|^at$/.test(name)) return at;
  if (/^(day|from|to|week)$/i.test(name) || schema.pattern === '^\\d{4}-\\d{2}-\\d{2}$') return '2026-11-24';
  return name.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
}

function fits(value: unknown, { type, anyOf, format, pattern }: JsonSchema): boolean {
  const types = Array.isArray(anyOf) ? anyOf.map((one) => (one as JsonSchema).type) : [type];
  if (typeof value === 'string') {
    if (!types.includes('string')) return false;
    if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) return false;
    return format !== 'date-time' || value.includes('T');
  }
  if (typeof value === 'number') return types.includes('number') || types.includes('integer');
  return Array.isArray(value) && types.includes('array');
}
