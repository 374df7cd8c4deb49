import type {
  CompleteInput,
  CreatePackageInput,
  IncidentType,
  ProfileInput,
  RatePackageInput,
  Role,
} from '@waybill/contract';
import type * as z from 'zod/mini';
import type { Illustration } from './illustrations.ts';

/** The demo's accounts, by the local part of their `@demo.example` addresses. */
export const people = {
  owner: { name: 'Olivia Owner', role: 'owner', profile: { returnAddress: inTown('Market Square 31') } },
  books: { name: 'Greta Nilsson', role: 'owner' },
  pharmacy: { name: 'Kwame Boateng', role: 'owner' },
  workshop: { name: 'Sofia Marini', role: 'owner', profile: { returnAddress: inTown('Foundry Way 40') } },
  driver: driver('Dana Driver', '+15550100123', 6, 'Van', 'Transit Custom', 'WB 1842', 'Riverton'),
  marek: driver('Marek Nowak', '+15550100131', 11, 'Truck', 'Daily 35', 'WB 2210', 'Harbour Street'),
  aisha: driver('Aisha Rahman', '+15550100144', 3, 'Cargo bike', 'Load 75', 'WB 0317', 'Market Square'),
  tom: driver('Tom Fletcher', '+15550100152', 8, 'Van', 'Kangoo E-Tech', 'WB 4471', 'Riverton'),
  lucia: driver('Lucía Ortega', '+15550100167', 1, 'Car', 'Zoe', 'WB 5093', 'Station Road'),
  ben: driver('Ben Okonkwo', '+15550100178', 15, 'Van', 'Sprinter', 'WB 1129', 'Lakeside'),
  admin: { name: 'Ada Admin', role: 'admin' },
} satisfies Record<string, { name: string; role: Role; profile?: ProfileInput }>;
export type Person = keyof typeof people;

/** Profile pictures. */
export const portraits: Partial<Record<Person, Illustration>> = { driver: { of: 'portrait', theme: 0 } };

function driver(
  name: string,
  phone: string,
  yearsOfExperience: number,
  type: string,
  model: string,
  licensePlate: string,
  currentLocation: string,
) {
  const profile = { phone, yearsOfExperience, vehicleInfo: { type, model, licensePlate }, currentLocation };
  return { name, role: 'driver' as const, profile };
}

export function inTown(street: string) {
  return { street, postalCode: '40112', city: 'Riverton', country: null };
}

/** One call of a service by a person at a moment. `parcel` is the index of the package in the plan. */
export type Step = { at: Date; by: Person; parcel: number } & (
  | { do: 'create'; input: CreatePackageInput; pictures: Illustration[] }
  | { do: 'start' | 'next' | 'arrive' | 'cancel' | 'remove' | 'sendBack' }
  | { do: 'complete'; proof: z.output<typeof CompleteInput>; photo?: Illustration; signature?: Illustration }
  | { do: 'fail'; reason: string; location?: string; cardLeft?: boolean }
  | { do: 'report'; type: IncidentType; issue: string; photo?: Illustration }
  | { do: 'investigate' | 'resolve'; note: string }
  | { do: 'rate'; rating: RatePackageInput }
);

/** An act of dispatch or of a driver with a whole route. `route` is its index, `parcels` are its stops. */
export interface RouteStep {
  at: Date;
  by: Person;
  do: 'planRoute' | 'startRoute' | 'finishRoute';
  route: number;
  parcels: number[];
}

export interface Goods {
  name: string;
  category: CreatePackageInput['category'];
  weight: number;
  handling?: Partial<NonNullable<CreatePackageInput['handling']>>;
}
export type StoryStep = Step extends infer S
  ? S extends Step
    ? Omit<S, 'at' | 'parcel'> & { hours: number }
    : never
  : never;

/** A parcel and its story; the steps are in hours after the registration. */
export interface Parcel extends Goods {
  owner: Person;
  to: string;
  street: string;
  hoursAgo: number;
  /** Days from the registration to the ETA. */
  etaDays: number;
  story: StoryStep[];
  /** The routes that it is a stop of, one after the other. */
  routes?: number[];
}
