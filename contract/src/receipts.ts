import * as z from 'zod/mini';
import { Day, Instant } from './common.ts';
import { Package } from './packages.ts';

/** What a printed receipt of a delivery says, and what proves it. Photo and signature are addresses that are good for an hour. */
export const Receipt = z.extend(
  z.pick(Package, {
    trackingId: true,
    description: true,
    category: true,
    weight: true,
    dimensions: true,
    handling: true,
    recipientName: true,
    recipientContact: true,
    recipientAddress: true,
    createdAt: true,
    startTime: true,
  }),
  {
    /** One for each package: R- and the characters of its tracking ID. */
    number: z.string(),
    packageId: z.string(),
    packageName: z.string(),
    /** The owner's name; null where the account is gone, as the driver's. */
    sender: z.nullable(z.string()),
    driver: z.nullable(z.string()),
    completedAt: Instant,
    eta: z.nullable(Day),
    /** By the end of the preferred window, without one by the end of the eta's day where the organisation is; null without either. */
    onTime: z.nullable(z.boolean()),
    /** How often a driver set out with it, the last time included. */
    attempts: z.int(),
    proof: z.object({
      receivedBy: z.nullable(z.string()),
      note: z.nullable(z.string()),
      photo: z.nullable(z.string()),
      signature: z.nullable(z.string()),
      /** Where it was handed over: the address, or null where there is none. */
      place: z.nullable(z.string()),
    }),
  },
);
export type Receipt = z.output<typeof Receipt>;
