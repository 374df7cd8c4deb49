export interface Size {
  /** Rows of the large table. Its large owner has a tenth of them, its small owner has 1,000. */
  packages: number;
  rounds: number;
  /** The same where there are many measurements, or long ones. */
  fewRounds: number;
  /** Repeats of disturbed rounds in one measurement, and the time that all repeats of a run may take together, in s. */
  maxRepeats: number;
  repeatSeconds: number;
  /** Rounds of lookups, many and short, so that a slow phase of the machine takes whole rounds rather than one contender's turn. */
  lookupRounds: number;
  /** The duration of the load on one contender in one of them. */
  lookupSeconds: number;
  /** Lookups by each contender before the rounds, as of a server that has run for a while: its database's processes have read the table. */
  warmUpSeconds: number;
  /** The same for lookups at a steady rate beside other work. */
  steadySeconds: number;
  /** Writes of each kind by one contender in one round: a multiple of the connections. */
  writes: number;
  /** Requests for each list by one contender in one round. */
  lists: number;
  /** The same for statistics, whose p95 is compared. */
  calls: number;
  /** Packages that wait to be planned, compared with 1,000. */
  waiting: number;
  /** Rows of one file to import. */
  importRows: number;
  /** Numbers of open streams; the goals are for the first. */
  streams: number[];
  /** Changes of one contender in one round while the streams are open: a multiple of the three steps of a delivery. */
  changes: number;
  /** Streams of drivers, all of which receive invalidations; and the duration for one contender in one round. */
  driverStreams: number;
  hintSeconds: number;
  /** Drivers whose screens are open in a simulated day; seconds until it is in full swing, and of one contender in one round. */
  screens: number;
  screensWarmUpSeconds: number;
  screensSeconds: number;
  /** The share of the CPU time that the optimizer is measured with. */
  searchScale: number;
  /** Loads of each public page with Lighthouse, and of each dashboard: odd, as the median of two is their mean. */
  pageLoads: number;
  /** Seconds without requests before the memory of an idle server is measured. */
  idleSeconds: number;
}

/** The size for which the goals are set. */
export const fullSize: Size = {
  packages: 1_000_000,
  rounds: 5,
  fewRounds: 3,
  maxRepeats: 2,
  repeatSeconds: 90,
  lookupRounds: 11,
  lookupSeconds: 1,
  warmUpSeconds: 10,
  steadySeconds: 3,
  writes: 1_920,
  lists: 20,
  calls: 40,
  waiting: 100_000,
  importRows: 10_000,
  streams: [5_000, 10_000],
  changes: 240,
  driverStreams: 2_000,
  hintSeconds: 2,
  screens: 1_000,
  screensWarmUpSeconds: 90,
  screensSeconds: 15,
  searchScale: 1,
  pageLoads: 3,
  idleSeconds: 60,
};

/** Checks in a few minutes that the benches run; its ratios prove nothing, so disturbed rounds are not repeated. */
export const quickSize: Size = {
  packages: 50_000,
  rounds: 3,
  fewRounds: 1,
  maxRepeats: 0,
  repeatSeconds: 0,
  lookupRounds: 3,
  lookupSeconds: 1,
  warmUpSeconds: 0,
  steadySeconds: 1,
  writes: 640,
  lists: 8,
  calls: 20,
  waiting: 20_000,
  importRows: 2_000,
  streams: [500, 1_000],
  changes: 90,
  driverStreams: 500,
  hintSeconds: 2,
  screens: 100,
  screensWarmUpSeconds: 20,
  screensSeconds: 5,
  searchScale: 0.05,
  pageLoads: 1,
  idleSeconds: 5,
};

/** Rows of the small table that the large one is compared with; all belong to one owner. */
export const smallTable = 1_000;

export const connections = 64;
