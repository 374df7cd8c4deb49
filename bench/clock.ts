/** The machine's monotonic clock in ms: the same for all processes. */
export const now = () => Number(process.hrtime.bigint()) / 1e6;
