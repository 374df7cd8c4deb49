import type { Delivery, Handling, LabelContent, Package, PublicView } from '@waybill/contract';

/*
 * The sample of the landing page: one parcel, told by its label, the tracker and the driver's phone. Its moments are in the zone of
 * whoever draws it, so that they read the same everywhere.
 */

const at = (hour: number, minute: number, day = 24) => new Date(2026, 10, day, hour, minute).toISOString();

/** The moment that the pictures show. */
export const sampleNow = new Date(2026, 10, 24, 11, 42);
export const sampleLink = 'https://waybill.example/track/PKG-7RTTSKYM';

const handling: Handling = {
  fragile: true,
  keepUpright: false,
  refrigerated: false,
  signatureRequired: true,
  pin: false,
  age: null,
  safePlace: null,
};

export const sampleLabel: LabelContent = {
  organisation: 'Elbkurier',
  trackingId: 'PKG-7RTTSKYM',
  reference: null,
  name: 'Espresso set',
  weight: 2.4,
  sender: 'Kaffeewerk Ottensen',
  recipientName: 'Jonas Petersen',
  address: { street: 'Ottenser Hauptstr. 18', postalCode: '22765', city: 'Hamburg', country: null },
  window: { from: at(11, 30), to: at(12, 0) },
  eta: '2026-11-24',
  handling,
};

export const sampleView: PublicView = {
  trackingId: 'PKG-7RTTSKYM',
  name: 'Espresso set',
  status: 'out for delivery',
  location: 'With the driver',
  eta: '2026-11-24',
  estimatedDeliveryTime: at(12, 0),
  arrivalWindow: null,
  stopsAway: null,
  driverPosition: null,
  completedAt: null,
  nextStep: null,
  lastUpdate: at(11, 38),
  recipientName: 'Jonas Petersen',
  sender: 'Kaffeewerk Ottensen',
  carrier: { firstName: 'Dana' },
  category: 'Food',
  weight: 2.4,
  events: [
    { type: 'delivery.next', at: at(11, 38), location: null },
    { type: 'delivery.started', at: at(7, 52), location: null },
    { type: 'package.created', at: at(14, 20, 23), location: 'Altona' },
  ],
};

export const sampleDelivery: Delivery = {
  id: 'sample',
  trackingId: 'PKG-7RTTSKYM',
  reference: null,
  packageName: 'Espresso set',
  weight: 2.4,
  category: 'Food',
  description: '',
  handling,
  pinState: null,
  recipientName: 'Jonas Petersen',
  recipientPhone: null,
  recipientAddress: 'Ottenser Hauptstr. 18, 22765 Hamburg',
  place: null,
  location: null,
  window: { from: at(11, 30), to: at(12, 0) },
  instructions: null,
  recipientChanges: [],
  eta: '2026-11-24',
  status: 'in transit',
  next: true,
  arrivedAt: null,
  attempts: 0,
  lastFailure: null,
  returnDue: false,
  nextStep: null,
  driverId: null,
  routeId: null,
  depotId: null,
  issue: null,
  createdAt: at(14, 20, 23),
  updatedAt: at(11, 38),
  estimatedDeliveryTime: at(12, 0),
  arrivalWindow: null,
  stopsAway: null,
  startTime: at(7, 52),
  completedAt: null,
  actualDeliveryTime: null,
  receivedBy: null,
  packageImages: [],
  version: 1,
};

const samplePackage = (trackingId: string, name: string, category: string, changes: Partial<Package>): Package => ({
  _id: trackingId,
  id: trackingId,
  userId: '',
  trackingId,
  reference: null,
  name,
  description: '',
  category,
  weight: 1,
  dimensions: null,
  recipientName: 'Jonas Petersen',
  recipientContact: null,
  recipientEmail: null,
  recipientPhone: null,
  recipientLanguage: null,
  recipientAddress: null,
  address: null,
  place: null,
  window: null,
  pinState: null,
  handling: { ...handling, fragile: false, signatureRequired: false },
  instructions: null,
  hideRecipient: false,
  showSender: true,
  allowChanges: true,
  recipientRating: null,
  recipientChanges: [],
  status: 'in transit',
  location: null,
  eta: '2026-11-24',
  images: [],
  driverId: null,
  routeId: null,
  depotId: null,
  issue: null,
  startTime: null,
  estimatedDeliveryTime: null,
  arrivalWindow: null,
  stopsAway: null,
  actualDeliveryTime: null,
  completedAt: null,
  receivedBy: null,
  failedAttempt: null,
  returnedAt: null,
  attempts: 0,
  returnDue: false,
  nextStep: null,
  rating: null,
  createdAt: at(14, 20, 23),
  lastUpdate: at(11, 38),
  version: 1,
  ...changes,
});

export const samplePackages: readonly Package[] = [
  samplePackage('PKG-7RTTSKYM', 'Espresso set', 'Food', { status: 'out for delivery' }),
  samplePackage('PKG-4TQ9WZ2C', 'Ceramic cups', 'Furniture', {}),
  samplePackage('PKG-9PD3VQ70', 'Burr grinder', 'Electronics', { status: 'processing' }),
  samplePackage('PKG-2HK6XN5B', 'House blend', 'Food', { status: 'delivered' }),
];

/** On time and late, of six days. */
export const sampleDays = [
  [31, 2, '19/11'],
  [35, 1, '20/11'],
  [37, 5, '21/11'],
  [18, 1, '22/11'],
  [36, 2, '23/11'],
  [19, 1, '24/11'],
] as const;

export const sampleDrivers = [
  { name: 'Dana Dreyer', until: at(15, 30), stops: 11 },
  { name: 'Levin Ott', until: at(16, 0), stops: 9 },
  { name: 'Amira Kaya', until: at(17, 30), stops: 12 },
  { name: 'Ben Krämer', until: null, stops: 0 },
] as const;
