import { generateTrackingId } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import type { Tx } from '../platform/database/db.ts';
import { insertActive, requireActive } from '../users/service.ts';
import { asContent } from './content.ts';
import { insertPackage } from './content-queries.ts';
import { createTogether } from './create.ts';

/** Connections that are warmed up: one for each transaction of creates at a time, and one for what they cause. */
const connections = 4;
/** In the first one statements are planned, in the second one code runs that was compiled in the first. */
const rounds = 2;

const content = asContent(
  {
    name: 'Warm-up',
    description: 'Never committed',
    category: 'Other',
    weight: 1,
    recipientName: 'Nobody',
    recipientContact: '+49 151 2345678',
  },
  [],
);

/**
 * Creates packages in transactions that are rolled back. Without it the first creates of a server take 60 ms instead of 8, since nothing is
 * compiled and no connection has read the schema or planned a statement: a program that creates a hundred a second would have more requests
 * in flight than its share, and be refused after each restart.
 */
export async function warmUpCreates(ctx: Ctx): Promise<void> {
  for (let round = 0; round < rounds; round++)
    await Promise.all(Array.from({ length: connections }, () => rollBack(ctx, (tx) => createSome(ctx, tx))));
}

async function createSome(ctx: Ctx, tx: Tx): Promise<void> {
  const account = { name: 'Warm-up', email: `${uuid()}@warm-up.invalid`, role: 'owner' } as const;
  const { id: ownerId } = await insertActive(tx, account, 'no password');
  await requireActive(tx, ownerId);
  const alone = { id: uuid(), ownerId, trackingId: generateTrackingId(), at: ctx.now() };
  await insertPackage(tx, alone, content);
  await createTogether(ctx, tx, [{ ownerId, trackingId: generateTrackingId(), content, request: null }]);
}

async function rollBack(ctx: Ctx, work: (tx: Tx) => Promise<void>): Promise<void> {
  const done = new Error('rolled back');
  await ctx.db
    .transaction(async (tx) => {
      await work(tx);
      throw done;
    })
    .catch((error: unknown) => {
      if (error !== done) throw error;
    });
}
