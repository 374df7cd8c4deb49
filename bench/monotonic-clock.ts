/** The machine's monotonic clock in ms, comparable between processes. */
export const now = () => Number(process.hrtime.bigint()) / 1e6;
