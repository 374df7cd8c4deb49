import { importColumns, type Channel, type ImportColumn } from '@waybill/contract';
import { templateRow } from '../packages/import-template.ts';

/** A CSV file with one row, quoted like the real files. */
const row = (cells: Record<string, string | number | boolean | null>): string => {
  const written = Object.values(cells).map((cell) => (typeof cell === 'string' ? `"${cell}"` : String(cell ?? '')));
  return `${Object.keys(cells).join(',')}\r\n${written.join(',')}\r\n`;
};

const id = '01990f6e-4c1a-7b52-9d3e-5a7c2f10b8e4';
const trackingId = 'PKG-7F3KQ2ZD';
const at = '2026-11-21T09:30:00.000Z';
const startedAt = '2026-11-21T10:45:00.000Z';

const address = { street: 'Hafenstraße 12', postalCode: '20457', city: 'Hamburg', country: 'Germany' };
const lamp = {
  reference: '#1001',
  name: 'Walnut lamp',
  description: 'Two lamps and one shade',
  category: 'Furniture',
  weight: 2.5,
};
const recipient = { recipientName: 'Mara Lindqvist', recipientContact: "'+49 151 2345678" };
const reach = { recipientEmail: 'mara@example.com', recipientPhone: "'+491512345678", recipientLanguage: 'de' };
const handling = {
  fragile: true,
  keepUpright: false,
  refrigerated: false,
  signatureRequired: false,
  pinRequired: false,
  ageCheck: null,
  safePlace: null,
};

const packages = row({
  id,
  trackingId,
  ...lamp,
  width: 20,
  height: 45,
  length: 20,
  ...recipient,
  ...reach,
  ...address,
  windowFrom: null,
  windowTo: null,
  ...handling,
  instructions: 'The bell is broken, please knock',
  hideRecipient: false,
  showSender: true,
  allowChanges: true,
  status: 'in transit',
  location: 'With the driver',
  eta: '2026-11-21',
  userId: id,
  driverId: id,
  routeId: null,
  depotId: null,
  attempts: 0,
  issue: null,
  createdAt: at,
  startTime: startedAt,
  estimatedDeliveryTime: '2026-11-21T16:45:00.000Z',
  completedAt: null,
  lastUpdate: startedAt,
  receivedBy: null,
  ratingStars: null,
  ratingComment: null,
  recipientRatingStars: null,
  recipientRatingComment: null,
  version: 2,
});

/** Examples of the CSV files in requests and replies, by operation. */
export const fileExamples: Readonly<Record<string, string>> = {
  'packages.import': row({ ...lamp, ...recipient, ...address }),
  'packages.previewImport': row({ ...lamp, ...recipient, ...address }),
  'packages.importTemplate': row(
    Object.fromEntries(Object.keys(importColumns).map((name) => [name, templateRow[name as ImportColumn] ?? null])),
  ),
  'packages.exportAll': packages,
  'packages.exportOfUser': packages,
  'users.exportAll': row({
    id,
    name: 'Jonas Fahrer',
    email: 'jonas@example.com',
    role: 'driver',
    status: 'active',
    phone: "'+491701234567",
    yearsOfExperience: 4,
    vehicleType: 'Van',
    vehicleModel: 'Transit',
    vehicleLicensePlate: 'HH WB 123',
    lastLogin: at,
    createdAt: at,
    updatedAt: at,
  }),
  'incidents.exportReachable': row({
    id: 12345,
    type: 'Package issue',
    status: 'Open',
    package: trackingId,
    packageId: id,
    packageName: 'Walnut lamp',
    location: 'With the driver',
    description: 'The shade is cracked',
    note: null,
    reporterName: 'Jonas Fahrer',
    reporterRole: 'driver',
    time: at,
    updatedAt: at,
  }),
  'notifications.exportSent': row({
    id,
    at: startedAt,
    type: 'delivery.started',
    recipientName: 'Anna Berg',
    recipientRole: 'owner',
    trackingId,
    incidentId: null,
    channel: 'in-app' satisfies Channel,
    state: 'delivered',
    reason: null,
    attempts: 1,
    error: null,
  }),
  'audit.exportAll': row({
    id: 4711,
    at,
    act: 'contact.viewed',
    actorId: id,
    actorName: 'Ada Chief',
    subjectId: id,
    subjectName: 'Anna Berg',
    address: '192.0.2.7',
    device: 'Firefox on Linux',
    times: 1,
    details: '{}',
  }),
  'inventory.exportCounts': row({
    place: 'Depot Hamburg',
    processing: 12,
    'in transit': 0,
    'out for delivery': 0,
    delivered: 0,
    cancelled: 1,
    inactive: 0,
    total: 13,
  }),
  'stats.exportBreakdown': row({
    key: '2026-10',
    name: null,
    day: null,
    driver: null,
    depot: null,
    completed: 781,
    completedBefore: 750,
    failed: 25,
    successRate: 96.9,
    onTime: 756,
    onTimeRate: 96.8,
    firstAttempts: 790,
    firstAttemptSuccess: 96.84,
    averageDeliveryTime: 171.25,
    stopsPerHour: 11.8,
    minutesAtDoor: 1.75,
    attemptsPerPackage: 1.04,
    returns: 2,
    kilometres: 1830.4,
    co2Kg: 457.6,
    cost: 2140.75,
  }),
};

/** Example events of each stream, by operation. */
export const streamExamples: Readonly<Record<string, string>> = {
  'tracking.live': `event: view\ndata: {"trackingId": "${trackingId}", "status": "in transit"}\n\n`,
  'live.stream': `event: hint\ndata: {"type": "package", "id": "${id}"}\n\n`,
};
