import type { PublicView } from '@waybill/contract';
import type { SceneState } from './scene/scene-state.ts';

type EventType = PublicView['events'][number]['type'];

/** Every text of the tracker, by key. Sentences are whole: none is put together from pieces in a component. */
export const trackTexts = {
  title: 'Track Your Package',
  subtitle: 'Enter your tracking ID to get real-time updates on your package status.',
  fieldLabel: 'Tracking ID',
  fieldHint: "It is in the sender's message and under the bar code of the label.",
  submit: 'Track',
  tooShort: 'Tracking ID must be at least 5 characters.',
  loading: 'Loading package',
  notFound: 'Package not found',
  notFoundDetail: (id: string) =>
    `We couldn't find a package with the tracking ID: ${id}. Please check the ID and try again.`,

  // The answer: each in two lines, which read as one sentence.
  deliveredOn: (day: string) => `Delivered ${day} at`,
  arrivingOn: (day: string) => `Arriving ${day},`,
  wasExpectedOn: (day: string) => `Was expected ${day},`,
  byTime: (time: string) => `by ${time}`,
  arriving: 'Arriving',
  wasExpected: 'Was expected',
  gettingReady: 'Getting ready',
  toShip: 'to ship',
  thisDelivery: 'This delivery was',
  cancelled: 'cancelled',
  noLonger: 'No longer',
  tracked: 'tracked',
  newDelivery: 'A new delivery is',
  beingArranged: 'being arranged',
  lastAttempt: 'The last attempt failed,',
  newAttempt: 'a new one follows',

  // The line under it.
  onTheWay: "It's on the way to you",
  nextStop: (carrier: string | null) => (carrier === null ? "You're the next stop" : `You're ${carrier}'s next stop`),
  late: 'Later than planned, and still on its way',
  lateNextStop: (carrier: string | null) =>
    carrier === null
      ? "Later than planned, but you're the next stop"
      : `Later than planned, but you're ${carrier}'s next stop`,
  noHourYet: 'The hour comes when the van leaves',
  noDayYet: 'The day is not known yet',
  overdue: 'It has not left yet. The new day will show here.',
  driverGone: 'The driver who has it is no longer available.',
  backAt: (place: string) => `Nothing is lost: it is at ${place}.`,
  backSafe: 'Nothing is lost: a new attempt is being arranged.',
  deliveredIn: (place: string) => `Handed over in ${place}`,
  handedOver: 'Handed over',
  notComing: 'It will not be delivered.',

  // Steps.
  progress: 'Delivery progress',
  preparing: 'Preparing',
  inTransit: 'In Transit',
  delivered: 'Delivered',
  since: (time: string) => `since ${time}`,
  next: 'next',

  // Who brings it, and who sent it.
  carrierComes: (carrier: string) => `${carrier} is on the way to you`,
  carrierBrings: (name: string, sender: string | null) => (sender === null ? name : `${name}, sent by ${sender}`),
  sentBy: (sender: string) => `Sent by ${sender}`,
  share: 'Share',
  linkCopied: 'Link copied',
  shareText: (name: string) => `Follow the delivery of ${name}`,
  takeAlong: 'Take it with you',
  scan: 'Scan to follow on your phone',

  history: 'History',
  details: 'Details',
  trackAnother: 'Track another',
  currentLocation: 'Current Location',
  lastUpdate: 'Last Update',
  recipient: 'Recipient',
  sender: 'Sender',
  carrier: 'Carrier',
  category: 'Category',
  weight: 'Weight',
  notSpecified: 'Not specified',
  kilograms: (weight: number) => `${weight} kg`,

  registeredBy: (sender: string) => `Registered by ${sender}`,
  outWith: (carrier: string) => `Out for delivery with ${carrier}`,
  youAreNext: "You're the next stop",
  youWereNext: 'You were the next stop',

  /** The tab of somebody who waits. */
  nextStopTitle: 'Next stop: you',

  yours: 'Yours',
  scene: (state: SceneState): string => {
    switch (state.shot) {
      case 'road':
        return state.stopsAway === 0
          ? 'Drawing: the van stops right before your door.'
          : 'Drawing: the van is on the road from the depot to your door.';
      case 'door':
        return state.delivered
          ? 'Drawing: your door is open, and the parcel stands on the mat.'
          : 'Drawing: your door is closed, with a card at it, and the van drives on.';
      case 'depot':
        if (state.dock === 'asleep') return 'Drawing: a depot with closed gates.';
        return state.van
          ? 'Drawing: your parcel stands in the dock of the depot, and the van waits beside it.'
          : 'Drawing: your parcel stands in the dock of the depot, and no van waits.';
    }
  },
} as const;

/** How the tracker names an event where it says more than its plain name; null where it does not. */
export function eventText(type: EventType, view: PublicView, isLatest: boolean): string | null {
  const { sender, carrier } = view;
  if (type === 'package.created') return sender === null ? null : trackTexts.registeredBy(sender);
  if (type === 'delivery.next') return isLatest ? trackTexts.youAreNext : trackTexts.youWereNext;
  if ((type === 'delivery.started' || type === 'delivery.assigned') && isLatest && carrier !== null)
    return trackTexts.outWith(carrier.firstName);
  return null;
}
