import * as z from 'zod/mini';
import { Day, Instant } from './common.ts';
import { Package } from './packages.ts';

/** The content of a printed delivery receipt, with the proof of delivery. `photo` and `signature` are URLs that expire after an hour. */
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
    /** Unique per package: R- and the characters of its tracking ID. */
    number: z.string(),
    packageId: z.string(),
    packageName: z.string(),
    /** The owner's name; null if the account is deleted, as for `driver`. */
    sender: z.nullable(z.string()),
    driver: z.nullable(z.string()),
    completedAt: Instant,
    eta: z.nullable(Day),
    /** By the end of the preferred window; without one, by the end of the eta's day in the organisation's zone; null without either. */
    onTime: z.nullable(z.boolean()),
    /** The number of delivery attempts, including the completed one. */
    attempts: z.int(),
    proof: z.object({
      receivedBy: z.nullable(z.string()),
      note: z.nullable(z.string()),
      photo: z.nullable(z.string()),
      signature: z.nullable(z.string()),
      /** `given`: its recipient said the PIN. `waived`: a dispatcher released it. Null if none was asked. */
      pin: z.nullable(z.enum(['given', 'waived'])),
      /** The driver checked that who took it is so old; null if that was not asked. */
      ageChecked: z.nullable(z.int()),
      /** Where it was handed over: the address, or null if there is none. */
      place: z.nullable(z.string()),
      /** Its place in the chain of proofs, and the hash there, in hexadecimal; null for deliveries from before there was one. */
      link: z.nullable(z.object({ number: z.int(), hash: z.string() })),
    }),
  },
);
export type Receipt = z.output<typeof Receipt>;
