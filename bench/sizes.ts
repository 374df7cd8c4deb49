export interface Size {
  /** Rows of the large table. Its large owner has a tenth of them, its small owner has 1,000. */
  packages: number;
  rounds: number;
  /** The duration of the load on one contender in one round of lookups. */
  lookupSeconds: number;
  /** Writes of each kind by one contender in one round: a multiple of the connections. */
  writes: number;
  /** Requests for each list by one contender in one round. */
  lists: number;
  /** Rows of one file to import. */
  importRows: number;
  streams: number;
  /** Changes of one contender in one round while the streams are open: a multiple of the three steps of a delivery. */
  changes: number;
  /** Streams of drivers, all of which receive invalidations; and the duration for one contender in one round. */
  driverStreams: number;
  hintSeconds: number;
  /** Page loads of each public page with Lighthouse. */
  pageLoads: number;
}

/** The size for which the goals are set. */
export const fullSize: Size = {
  packages: 1_000_000,
  rounds: 5,
  lookupSeconds: 5,
  writes: 3_200,
  lists: 60,
  importRows: 10_000,
  streams: 5_000,
  changes: 300,
  driverStreams: 2_000,
  hintSeconds: 10,
  pageLoads: 5,
};

/** Checks in a minute that the benches run; its ratios prove nothing. */
export const quickSize: Size = {
  packages: 50_000,
  rounds: 3,
  lookupSeconds: 1,
  writes: 640,
  lists: 20,
  importRows: 2_000,
  streams: 500,
  changes: 90,
  driverStreams: 500,
  hintSeconds: 2,
  pageLoads: 1,
};

/** Rows of the small table that the large one is compared with; all belong to one owner. */
export const smallTable = 1_000;

export const connections = 64;
