import { dayIn, type CreatePackageInput, type IncidentType, type RatePackageInput } from '@waybill/contract';
import { seededRandom, type Random } from '../maps/random.ts';
import { buildTown, mainStreets } from '../maps/town.ts';
import type { KnownPlace } from '../places/gazetteer.ts';
import { planDay, type PlannedRoute } from './day.ts';
import type { Illustration } from './illustrations.ts';
import { inTown, type Goods, type Parcel, type Person, type RouteStep, type Step, type StoryStep } from './story.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Returns the demo's history up to `now` in chronological order, and its routes; deterministic for the same `now`. */
export function planDemo(now: Date, timeZone: string): { steps: (Step | RouteStep)[]; routes: PlannedRoute[] } {
  const random = seededRandom(1842);
  const past = pastParcels(random, now);
  const day = planDay(now, timeZone, {
    goods: () => pick(random, goods),
    recipient: () => pick(random, recipients),
    owner: () => pick(random, ['books', 'pharmacy', 'workshop'] as const),
    reason: () => pick(random, reasons),
  });
  const parcels = [...past, ...recentParcels, ...day.parcels].toSorted((a, b) => b.hoursAgo - a.hoursAgo);
  const steps: (Step | RouteStep)[] = parcels.flatMap((parcel, index) =>
    stepsOf(parcel, index, generateTracking(random), now, timeZone),
  );
  for (const [route, { driver: by, plannedAt, startedAt, finishedAt }] of day.routes.entries()) {
    const stops = parcels.flatMap(({ routes }, index) => (routes?.includes(route) ? index : []));
    steps.push({ at: plannedAt, by: 'admin', do: 'planRoute', route, parcels: stops });
    if (by && startedAt) steps.push({ at: startedAt, by, do: 'startRoute', route, parcels: stops });
    if (by && finishedAt) steps.push({ at: finishedAt, by, do: 'finishRoute', route, parcels: stops });
  }
  return { steps: steps.toSorted((a, b) => a.at.getTime() - b.at.getTime()), routes: day.routes };
}

export const depots = [
  { name: 'Riverton depot', address: inTown('Harbour Street 1'), opensAt: '06:00', closesAt: '22:00' },
  { name: 'Station Road depot', address: inTown('Station Road 12'), opensAt: '07:00', closesAt: '19:00' },
];

/** The places of all addresses of the demo's town. */
export const planTown = (): KnownPlace[] => buildTown().addresses;

/** Locations of newly registered packages, most of them in the first. */
const locations = ['Riverton depot', 'Harbour Street hub', 'Riverton depot', 'Lakeside counter', 'Riverton depot'];

interface PlannedShift {
  driver: Person;
  startsAt: string;
  endsAt: string;
  note?: string;
}

/** Shifts: the start in hours from the current hour, the length in hours, and the days relative to today. Lucía has time off. */
const rota: { driver: Person; from: number; hours: number; days: number[]; note?: string }[] = [
  { driver: 'driver', from: -3, hours: 8, days: [-2, -1, 0, 1, 2, 4, 5] },
  { driver: 'marek', from: -5, hours: 9, days: [-2, -1, 0, 1, 3, 4], note: 'Harbour round, with the truck' },
  { driver: 'aisha', from: 2, hours: 6, days: [-1, 0, 1, 2, 3] },
  { driver: 'tom', from: 8, hours: 10, days: [-2, -1, 0, 2, 3] },
  { driver: 'ben', from: -1, hours: 7, days: [0, 1, 2, 5] },
];

/** Returns the shifts around `now`, some of them current; deterministic for the same `now`. */
export function planShifts(now: Date): PlannedShift[] {
  const thisHour = Math.floor(now.getTime() / hour) * hour;
  return rota.flatMap(({ driver: person, from, hours, days, note }) =>
    days.map((offset): PlannedShift => {
      const startsAt = thisHour + offset * day + from * hour;
      return {
        driver: person,
        startsAt: new Date(startsAt).toISOString(),
        endsAt: new Date(startsAt + hours * hour).toISOString(),
        ...(note && { note }),
      };
    }),
  );
}

function stepsOf(parcel: Parcel, index: number, trackingId: string, now: Date, timeZone: string): Step[] {
  const registered = now.getTime() - parcel.hoursAgo * hour;
  // Never in the future: steps of a story that is not over yet happen now.
  const after = (hours: number) => new Date(Math.min(registered + hours * hour, now.getTime()));
  const input: CreatePackageInput = {
    trackingId,
    name: parcel.name,
    description: `${parcel.name}, packed for delivery within Riverton.`,
    category: parcel.category,
    weight: parcel.weight,
    recipientName: parcel.to,
    recipientContact: `+1555010${String(200 + index)}`,
    location: locations[index % locations.length] ?? null,
    eta: dayIn(timeZone, new Date(registered + parcel.etaDays * day)),
    address: inTown(parcel.street),
    ...(parcel.handling && {
      handling: {
        fragile: false,
        keepUpright: false,
        refrigerated: false,
        signatureRequired: false,
        pin: false,
        age: null,
        ...parcel.handling,
      },
    }),
  };
  return [
    { at: after(0), by: parcel.owner, parcel: index, do: 'create', input, pictures: pictures[parcel.name] ?? [] },
    ...parcel.story.map(({ hours, ...step }): Step => ({ ...step, at: after(hours), parcel: index })),
  ];
}

const pick = <T>(random: Random, from: readonly T[]): T => {
  const picked = from[Math.floor(random() * from.length)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
};

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const generateTracking = (random: Random) =>
  `PKG-${Array.from({ length: 8 }, () => letters[Math.floor(random() * letters.length)]).join('')}`;

const start = (by: Person, hours: number): StoryStep => ({ do: 'start', by, hours });
const next = (by: Person, hours: number): StoryStep => ({ do: 'next', by, hours });
const complete = (by: Person, hours: number, receivedBy: string, note?: string) => ({
  do: 'complete' as const,
  by,
  hours,
  proof: { receivedBy, ...(note && { note }) },
});

const pastCount = 46;

/** Packages registered 90 to 3 days ago, more of them recently. All are in a final status. */
function pastParcels(random: Random, now: Date): Parcel[] {
  const drivers = (['driver', 'driver', 'marek', 'aisha', 'tom', 'lucia', 'ben'] as const).values();
  const sinceMidnight = (now.getTime() % day) / hour;
  return Array.from({ length: pastCount }, (_, index): Parcel => {
    const age = Math.round(3 + 87 * (1 - index / (pastCount - 1)) ** 1.7);
    const registeredAt = 7 + random() * 9;
    const owner = index % 2 === 0 ? 'owner' : pick(random, ['books', 'pharmacy', 'workshop'] as const);
    const by = drivers.next().value ?? pick(random, ['driver', 'marek', 'aisha', 'tom', 'lucia', 'ben'] as const);
    const to = pick(random, recipients);
    const parcel = {
      ...(goods[index % goods.length] ?? pick(random, goods)),
      owner,
      to,
      street: `${pick(random, streets)} ${1 + Math.floor(random() * 48)}`,
      hoursAgo: age * 24 + sinceMidnight - registeredAt,
    } as const;
    /** The hour of a day, counted from the registration. */
    const atHour = (days: number, hourOfDay: number) => days * 24 + hourOfDay - registeredAt;
    const morning = 7 + random() * 3;
    const arrival = morning + 0.7 + random() * 4.5;

    if (index % 15 === 7) return { ...parcel, etaDays: 2, story: [{ do: 'cancel', by: owner, hours: 1.5 }] };
    // Deleted packages belong to the other owners: the demo owner's list would hide them.
    if (index % 22 === 11) {
      const story: StoryStep[] = [
        { do: 'cancel', by: owner, hours: 2 },
        { do: 'remove', by: owner, hours: 3 },
      ];
      return { ...parcel, etaDays: 2, story };
    }
    const story = [start(by, atHour(1, morning))];
    let days = 1;
    if (index % 8 === 4) {
      story.push({
        do: 'fail',
        by,
        hours: atHour(1, arrival),
        reason: pick(random, reasons),
        location: 'Riverton depot',
      });
      story.push(start(by, atHour((days = 2), morning)));
    }
    const issue = issues.find((candidate) => candidate.parcel === index);
    if (issue) {
      story.push({ do: 'report', by, hours: atHour(days, morning + 0.3), type: issue.type, issue: issue.text });
      story.push({ do: 'investigate', by: 'admin', hours: atHour(days, morning + 0.4), note: issue.investigation });
      if (issue.resolution)
        story.push({ do: 'resolve', by: 'admin', hours: atHour(days, arrival + 1), note: issue.resolution });
    }
    if (random() < 0.8) story.push(next(by, atHour(days, arrival - 0.4)));
    const [receivedBy, note] = random() < 0.7 ? [to] : pick(random, others);
    story.push(complete(by, atHour(days, arrival), receivedBy, note));
    const late = index % 7 === 3;
    if (random() < 0.7)
      story.push({
        do: 'rate',
        by: owner,
        hours: atHour(days, arrival + 2),
        rating: pick(random, late ? grumbles : praise),
      });
    return { ...parcel, etaDays: late ? days - 1 : days, story: story.toSorted((a, b) => a.hours - b.hours) };
  });
}

/** Package images, by the name of the parcel. */
const pictures: Record<string, Illustration[]> = {
  'Noise-cancelling headphones': [
    { of: 'parcel', theme: 0 },
    { of: 'front', theme: 0 },
    { of: 'label', theme: 0 },
  ],
  'Bicycle helmet': [{ of: 'parcel', theme: 5 }],
  'Cookbook trio': [
    { of: 'parcel', theme: 2 },
    { of: 'front', theme: 2 },
  ],
  'Espresso machine': [{ of: 'parcel', theme: 1 }],
  'Running shoes': [{ of: 'parcel', theme: 5 }],
  'Ceramic tea set': [{ of: 'parcel', theme: 3 }],
};

/** Packages of the last days and those under way, one by one. */
const recentParcels: Parcel[] = [
  recent('Contract documents', 'Documents', 0.3, 'owner', 'Okafor & Partners', 'Court Square 1', 52, [
    start('driver', 24.6),
    complete('driver', 27.3, 'Reception', 'Stamped at the front desk'),
  ]),
  recent('Garden chairs', 'Furniture', 14.5, 'owner', 'Clara Jensen', 'Lakeside 2', 49, [
    { do: 'cancel', by: 'owner', hours: 2 },
  ]),
  recent('Ceramic tea set', 'Other', 3.1, 'workshop', 'Hugo Laurent', 'Mill Lane 19', 46, [
    start('tom', 20),
    complete('tom', 22.5, 'Hugo Laurent'),
    {
      do: 'report',
      by: 'workshop',
      hours: 27,
      type: 'Damage',
      issue: 'The recipient says that two cups arrived broken. The box had a dent on one side.',
      photo: { of: 'damage', theme: 3 },
    },
    { do: 'investigate', by: 'admin', hours: 29, note: 'We have asked the recipient for photographs' },
  ]),
  recent('Insulin pens', 'Medical', 0.4, 'pharmacy', 'Rosa Delgado', 'Bridge Street 27', 22, [
    start('aisha', 18.5),
    next('aisha', 20),
    complete('aisha', 20.4, 'Rosa Delgado', 'Handed over cool'),
  ]),
  recent('Atlas of the night sky', 'Books', 2.6, 'books', 'Finn Gallagher', 'Orchard Close 3', 21, [
    start('lucia', 17),
    complete('lucia', 19.5, 'Mrs Gallagher'),
  ]),
  recent('Running shoes', 'Clothing', 1.1, 'owner', 'Leila Haddad', 'Garden Row 6', 20, [
    start('driver', 15.5),
    next('driver', 17.6),
    {
      ...complete('driver', 18.2, 'Leila Haddad'),
      photo: { of: 'door', theme: 5 },
      signature: { of: 'signature', theme: 0 },
    },
  ]),
  recent('Workbench vice', 'Other', 11.3, 'workshop', 'Piotr Zielinski', 'Foundry Way 8', 9, [start('marek', 6.5)]),
  recent('Secondary school textbooks', 'Books', 16.2, 'books', 'Riverton High School', 'School Hill 1', 8.5, [
    start('marek', 6.2),
    next('marek', 8),
  ]),
  recent('First aid supplies', 'Medical', 2.5, 'owner', 'Riverside Clinic', 'Bridge Street 9', 7.2, [
    start('driver', 5),
  ]),
  recent('Espresso machine', 'Electronics', 8.7, 'owner', 'Jonas Weber', 'Chestnut Avenue 22', 6, [
    start('driver', 4.1),
    next('driver', 5.6),
  ]),
  recent('Wound dressings', 'Medical', 1.9, 'pharmacy', 'St Anne Care Home', 'Park Way 40', 5, [start('ben', 3.4)]),
  recent('Cookbook trio', 'Books', 2.1, 'owner', 'Amelia Stone', 'Orchard Close 7', 4.6, [
    start('driver', 3.5),
    {
      do: 'report',
      by: 'driver',
      hours: 4.2,
      type: 'Delay',
      issue: 'The road is closed at the bridge; taking the long way round.',
    },
  ]),
  recent('Cold-pressed juice, twelve bottles', 'Food', 9.8, 'workshop', 'Yara Costa', 'Market Square 4', 3.2, []),
  recent('Olive oil, six bottles', 'Food', 6.4, 'owner', 'Luca Romano', 'Market Square 15', 2.4, []),
  recent('Bicycle helmet', 'Other', 0.9, 'owner', 'Nadia Petrova', 'Park Way 3', 1.9, []),
  recent('Reading glasses', 'Other', 0.2, 'pharmacy', 'Edith Claremont', 'Chestnut Avenue 5', 1.4, []),
  recent('Noise-cancelling headphones', 'Electronics', 0.6, 'owner', 'Samuel Adeyemi', 'Garden Row 18', 1.1, []),
];

function recent(
  name: string,
  category: Goods['category'],
  weight: number,
  owner: Person,
  to: string,
  street: string,
  hoursAgo: number,
  story: StoryStep[],
): Parcel {
  return { name, category, weight, owner, to, street, hoursAgo, etaDays: 2, story };
}

const goods: Goods[] = [
  { name: 'Walnut desk lamp', category: 'Furniture', weight: 3.4, handling: { fragile: true } },
  { name: 'Board game collection', category: 'Toys', weight: 5.2 },
  { name: 'Winter coat', category: 'Clothing', weight: 1.8 },
  { name: 'Notarised deed', category: 'Documents', weight: 0.2, handling: { signatureRequired: true } },
  { name: 'Stand mixer', category: 'Electronics', weight: 9.1 },
  { name: 'Historical novels, five volumes', category: 'Books', weight: 3.9 },
  { name: 'Antihistamine tablets', category: 'Medical', weight: 0.3 },
  { name: 'Dried apricots', category: 'Food', weight: 2.2 },
  { name: 'Oak side table', category: 'Furniture', weight: 12.6 },
  { name: 'Linen bedsheets', category: 'Clothing', weight: 2.7 },
  {
    name: 'Tablet computer',
    category: 'Electronics',
    weight: 0.9,
    handling: { fragile: true, signatureRequired: true },
  },
  { name: 'Wooden train set', category: 'Toys', weight: 3.3 },
  { name: 'Blood pressure monitor', category: 'Medical', weight: 0.8 },
  { name: 'Art prints, framed', category: 'Other', weight: 4.5, handling: { fragile: true, keepUpright: true } },
  { name: 'Farmhouse cheese selection', category: 'Food', weight: 3.6, handling: { refrigerated: true } },
  { name: 'Mechanical keyboard', category: 'Electronics', weight: 1.2 },
  { name: 'Knitting wool, ten skeins', category: 'Other', weight: 1.5 },
  { name: 'Poetry anthology', category: 'Books', weight: 0.7 },
  { name: 'Office chair', category: 'Furniture', weight: 15.8 },
  { name: 'Jigsaw puzzle, 2000 pieces', category: 'Toys', weight: 1.6 },
  { name: 'Tax records', category: 'Documents', weight: 2.4 },
  { name: 'Hiking boots', category: 'Clothing', weight: 2.0 },
  { name: 'Knee brace', category: 'Medical', weight: 0.5 },
];

const recipients = [
  'Mara Lindqvist',
  'Theo Brandt',
  'Ines Moreau',
  'Haruto Sato',
  'Fatima Zahra',
  'Callum Reid',
  'Priya Nair',
  'Emil Sørensen',
  'Beatriz Lopes',
  'Mikael Virtanen',
  'Chiara Conti',
  'Daniel Mensah',
  'Nora Whitfield',
  'Ivan Horvat',
  'Camille Durand',
  'George Papadakis',
  'Mei Tanaka',
  'Alice Thornbury',
];
/** Court Square is only for the contract. */
const streets = mainStreets.filter((name) => name !== 'Court Square');
/** Receivers other than the recipient, with the driver's note. */
const others: [string, string][] = [
  ['Reception', 'Left with the front desk'],
  ['Neighbour at the next door', 'The recipient asked by phone to leave it there'],
  ['Caretaker', 'Signed for in the yard office'],
  ['Family member', 'Handed over at the door'],
];
const reasons = [
  'Nobody was at home',
  'The address could not be reached by van',
  'The recipient asked for another day',
];
const praise: RatePackageInput[] = [
  { stars: 5, comment: 'Right on time, and friendly.' },
  { stars: 5, comment: 'Careful with a fragile box. Thank you!' },
  { stars: 5 },
  { stars: 4, comment: 'All good; a call before arrival would have been nice.' },
  { stars: 4 },
];
const grumbles: RatePackageInput[] = [
  { stars: 3, comment: 'Arrived well, but a day later than promised.' },
  { stars: 2, comment: 'Late, and nobody told us.' },
];
/** Incidents on past parcels, with the notes of their investigation and resolution. */
const issues: { parcel: number; type: IncidentType; text: string; investigation: string; resolution?: string }[] = [
  {
    parcel: 4,
    type: 'Recipient unavailable',
    text: 'Nobody answers the door again, and the phone is off.',
    investigation: 'The recipient has been called at work',
    resolution: 'Reached at work; a family member takes it',
  },
  {
    parcel: 17,
    type: 'Vehicle',
    text: 'Flat tyre on Station Road, waiting for the mechanic.',
    investigation: 'The mechanic is on the way',
    resolution: 'Tyre changed within the hour',
  },
  {
    parcel: 30,
    type: 'Wrong address',
    text: 'The number of the house does not exist in this street.',
    investigation: 'Asking the owner for the right number',
    resolution: 'The owner has given the right number',
  },
  {
    parcel: 43,
    type: 'Damage',
    text: 'The outer box was wet at loading; the contents look fine.',
    investigation: 'Looking for the leak in the depot',
  },
];
