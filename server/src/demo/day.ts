import { dayIn } from '@waybill/contract';
import type { Goods, Parcel, Person, StoryStep } from './story.ts';

const hour = 3_600_000;

/** A route of the demo. Its stops are the parcels that name it, in their order. */
export interface PlannedRoute {
  depot: number;
  day: string;
  driver: Person | null;
  plannedAt: Date;
  startsAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

/** What happens to a stop, at a share of the time since its route started. */
type Outcome = { at: number; ends: 'delivered' | 'failed' } | null;

interface RouteIdea {
  depot: number;
  driver: Person | null;
  /** Days from today. */
  days: number;
  /** From now; for one of today that is started: how long ago at most. */
  hours: number;
  stops: { street: string; outcome?: Outcome; owner?: Person; returns?: true }[];
  isFinished?: true;
}

const delivered = (at: number): Outcome => ({ at, ends: 'delivered' });
const failed = (at: number): Outcome => ({ at, ends: 'failed' });

/** Neighbouring stops of one street are near each other. A street twice with one number is one door. */
const ideas: RouteIdea[] = [
  {
    depot: 0,
    driver: 'driver',
    days: -1,
    hours: 5,
    isFinished: true,
    stops: [
      { street: 'Mill Lane 4', outcome: delivered(0.2) },
      { street: 'Mill Lane 11', outcome: delivered(0.35) },
      { street: 'Garden Row 30', outcome: failed(0.5), owner: 'owner' },
      { street: 'Park Way 8', outcome: failed(0.7), owner: 'workshop', returns: true },
      { street: 'Park Way 21', outcome: delivered(0.85), owner: 'owner' },
    ],
  },
  {
    depot: 0,
    driver: 'marek',
    days: 0,
    hours: 2.5,
    stops: [
      { street: 'Foundry Way 2', outcome: delivered(0.15) },
      { street: 'Foundry Way 16', outcome: delivered(0.3) },
      { street: 'Bridge Street 5', outcome: failed(0.5) },
      { street: 'Bridge Street 12', outcome: delivered(0.65) },
      { street: 'Bridge Street 33', outcome: delivered(0.9) },
      { street: 'Harbour Street 14' },
      { street: 'Harbour Street 14' },
      { street: 'Harbour Street 29' },
      { street: 'School Hill 3' },
      { street: 'School Hill 17' },
    ],
  },
  {
    depot: 1,
    driver: 'ben',
    days: 0,
    hours: 1,
    stops: [
      { street: 'Station Road 20', outcome: delivered(0.4) },
      { street: 'Station Road 41', outcome: delivered(0.8) },
      { street: 'Chestnut Avenue 6' },
      { street: 'Chestnut Avenue 10' },
      { street: 'Orchard Close 15' },
      { street: 'Orchard Close 18' },
    ],
  },
  {
    depot: 0,
    driver: 'driver',
    days: 0,
    hours: 1,
    stops: [
      { street: 'Lakeside 7', owner: 'owner' },
      { street: 'Lakeside 7', owner: 'owner' },
      { street: 'Lakeside 7', owner: 'owner' },
      { street: 'Lakeside 22' },
      { street: 'Garden Row 9' },
      { street: 'Market Square 2' },
    ],
  },
  {
    depot: 0,
    driver: 'aisha',
    days: 1,
    hours: 18,
    stops: [
      { street: 'Market Square 8', owner: 'owner' },
      { street: 'Market Square 19' },
      { street: 'Mill Lane 25' },
      { street: 'Mill Lane 31' },
      { street: 'Bridge Street 40' },
    ],
  },
  {
    depot: 1,
    driver: 'tom',
    days: 1,
    hours: 18,
    stops: [{ street: 'Station Road 5' }, { street: 'Orchard Close 22' }, { street: 'Chestnut Avenue 30' }],
  },
  {
    depot: 1,
    driver: null,
    days: 1,
    hours: 18,
    stops: [{ street: 'School Hill 9' }, { street: 'School Hill 28' }, { street: 'Foundry Way 33' }],
  },
];

/** The return of a parcel of the workshop's goes along with this route. */
const routeOfReturns = 3;

/** How long ago a route of today started, in hours: at most `hours`, and never on the day before. */
function hoursSinceStart(hours: number, now: Date, timeZone: string): number {
  const today = dayIn(timeZone, now);
  let since = hours;
  while (since > 0.02 && dayIn(timeZone, new Date(now.getTime() - since * hour)) !== today) since -= 0.1;
  return Math.max(since, 0.02);
}

const isStarted = ({ stops }: RouteIdea) => stops.some(({ outcome }) => outcome);

/** Plans the delivery day around `now`: routes of yesterday, today and tomorrow, and the parcels on them. */
export function planDay(
  now: Date,
  timeZone: string,
  make: { goods: () => Goods; recipient: () => string; owner: () => Person; reason: () => string },
): { parcels: Parcel[]; routes: PlannedRoute[] } {
  const before = (hours: number) => new Date(now.getTime() - hours * hour);
  const routes: PlannedRoute[] = [];
  const parcels = ideas.flatMap((idea, route): Parcel[] => {
    let to = '';
    const since = hoursSinceStart(idea.hours, now, timeZone);
    const startedAgo = idea.days < 0 ? 24 + since : since;
    const finishedAgo = startedAgo - since * 0.9;
    const started = isStarted(idea);
    const registeredAgo = Math.max(startedAgo, 0) + 20;
    // Tomorrow is a day of the calendar, whatever time it is now.
    const planned = dayIn(timeZone, before(-24 * idea.days));
    const later = idea.days > 0 && dayIn(timeZone, before(-idea.hours)) !== planned ? 14 : 0;
    const startsAt = started ? before(startedAgo) : before(-idea.hours - later);
    routes.push({
      depot: idea.depot,
      day: started ? dayIn(timeZone, startsAt) : planned,
      driver: idea.driver,
      plannedAt: before(startedAgo + 2),
      startsAt,
      startedAt: started ? startsAt : null,
      finishedAt: idea.isFinished ? before(finishedAgo) : null,
    });
    return idea.stops.map(({ street, outcome, owner = make.owner(), returns }, stop): Parcel => {
      if (idea.stops[stop - 1]?.street !== street) to = make.recipient();
      const parcel = {
        ...make.goods(),
        owner,
        to,
        street,
        hoursAgo: registeredAgo + (20 - stop) / 20 + route / 200,
        etaDays: Math.max(idea.days, 0) + 1,
        routes: returns ? [route, routeOfReturns] : [route],
      };
      const hours = parcel.hoursAgo - startedAgo + (outcome?.at ?? 0) * since * 0.9;
      const story: StoryStep[] = [];
      if (outcome && idea.driver)
        story.push(...stepsTo(outcome, idea.driver, { hours, since, to, reason: make.reason() }));
      // The owner wants it back soon after the route.
      if (returns) story.push({ do: 'sendBack', by: owner, hours: parcel.hoursAgo - finishedAgo + 0.5 });
      return { ...parcel, story };
    });
  });
  return { parcels, routes };
}

/** @param since the hours since the route began: just after midnight so few that the stays at the doors are shorter, too */
function stepsTo(
  outcome: NonNullable<Outcome>,
  by: Person,
  { hours, since, to, reason }: { hours: number; since: number; to: string; reason: string },
): StoryStep[] {
  if (outcome.ends === 'delivered')
    return [
      { do: 'arrive', by, hours: hours - Math.min(0.02, since / 10) },
      { do: 'complete', by, hours, proof: { receivedBy: to } },
    ];
  return [
    { do: 'arrive', by, hours: hours - Math.min(0.05, since / 10) },
    { do: 'fail', by, hours, reason, cardLeft: true },
  ];
}
