import { formatCountOf } from '../platform/formats.ts';

// The texts of the driver's phone screens, whole sentences by key, so that they can be translated in one place.

export const texts = {
  title: 'Driver Dashboard',
  loading: 'Loading your next stop',
  nextNotLoaded: 'The next stop could not be loaded',
  stopsNotLoaded: 'Your stops could not be loaded',
  openMenu: 'Open menu',

  // The stop in view
  nextStop: 'Next stop',
  stopOf: (stop: number, of: number) => `Stop ${stop} of ${of}`,
  stopOfShort: (stop: number, of: number) => `${stop} of ${of}`,
  noAddress: 'No address given',
  copyAddress: 'Copy address',
  call: 'Call',
  callNobody: 'No phone number',
  details: 'Details',
  problem: 'Problem',
  chooseNavigator: 'Choose the app to navigate with',
  instructionsBefore: (before: string) => `Before: ${before}`,
  noInstructions: 'None any more',
  issueReported: 'Issue reported',

  // When
  by: (time: string) => `by ${time}`,
  byOn: (day: string, time: string) => `${day} by ${time}`,
  windowOn: (day: string, window: string) => `${day} ${window}`,
  window: (from: string, to: string) => `${from} – ${to}`,
  inMinutes: (minutes: number) => `in ${minutes} min`,
  inHours: (hours: number) => `in ${hours} h`,
  minutesLeft: (minutes: number) => `${minutes} min left`,
  now: 'now',
  late: 'late',
  lateBy: (minutes: number) => `${minutes} min late`,
  youAreHere: "You're here",

  // The verb
  markNext: 'Mark as next stop',
  marking: 'Marking...',
  navigate: 'Navigate',
  arrived: "I'm here",
  handOver: 'Hand over',
  notThereYet: 'Not there yet',
  completeNow: 'Complete Delivery',
  reportLocation: 'Report location',
  reportIssue: 'Report issue',
  deliveryFailed: 'Delivery failed',
  notMarked: 'No connection. It is not marked as the next stop yet. Please try again.',
  tooSlow: 'The server did not answer. Please try again.',

  // The stops after it
  thenNext: 'Then',
  allStops: 'All stops',
  lastStop: 'Last stop',
  backToStop: 'Back to the stop',
  backToStart: 'Back',

  // Nothing left
  allDone: 'All done',
  noStops: 'No stops yet',
  waiting: (count: number) =>
    count === 0
      ? 'Nothing waits to be taken. New packages appear here by themselves.'
      : `${formatCountOf(count, 'package')} ${count === 1 ? 'waits' : 'wait'} to be taken.`,
  takeMore: 'Take more',
  seePending: 'See pending deliveries',

  // Hand over
  whoTookIt: 'Who took it',
  neighbour: 'Neighbour',
  reception: 'Reception',
  household: 'Household',
  leftSafely: 'Left safely',
  leftSafelyIn: (place: string) => `Left in a safe place: ${place}`,
  needsSignature: 'needs a signature',
  holdToHandOver: 'Hold to hand over',
  keepHolding: 'Keep holding, or use the button below.',
  certificate: (recipient: string) =>
    `By completing this delivery you certify that the package has been handed over to ${recipient} or left as agreed. This cannot be undone.`,
  theRecipient: 'the recipient',

  // A return
  theSender: 'the sender',
  bringBackTo: (owner: string | null) => `Bring back to ${owner ?? 'the sender'}`,
  handBack: 'Hand back',
  holdToHandBack: 'Hold to hand back',
  confirmReturn: 'Confirm return',
  completeReturn: 'Complete Return',
  certificateOfReturn: (owner: string | null) =>
    `By completing this return you certify that the package has been handed back to ${owner ?? 'the sender'}. This cannot be undone.`,
  broughtBack: 'Brought back',
  broughtBackAt: (time: string) => `Brought back ${time}`,
  broughtBackOn: (owner: string, moment: string) => `Brought back to ${owner} on ${moment}`,

  // The moment after
  deliveredAt: (time: string) => `Delivered ${time}`,
  signedWithPhoto: 'signed, 1 photo',
  signed: 'signed',
  withPhoto: '1 photo',
  next: 'Next',
  lastDelivered: 'That was the last stop.',
  goOn: 'Tap to go on',

  // The connection
  online: 'Online',
  offline: 'Offline',
  noConnectionSince: (time: string) => `No connection since ${time}`,
  offlineMeans:
    'You see what was loaded before. Steps are not sent now and not kept for later: repeat them when you are back online. Only what you fill in on the hand over sheet is kept while it is open.',

  // High contrast
  display: 'Display',
  displayHint: 'For bright sun and tired eyes, on this device.',
  highContrast: 'High contrast',
  highContrastHint: 'Black on white, thicker lines. It is on by itself when the device asks for more contrast.',
} as const;
