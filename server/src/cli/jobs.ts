import { audit } from '../audit/service.ts';
import type { Ctx } from '../ctx.ts';
import { setQueued } from '../notifications/notification-deliveries.ts';
import { replay, unfinishedJobs, type UnfinishedJob } from '../platform/database/queue.ts';
import { defineCommand, UsageError } from './command.ts';
import { withProduct } from './database.ts';

/** Limits the output to what a person reads. */
const maxListed = 200;

export const jobsCommand = defineCommand(
  {
    help: `npm run cli -- jobs [--replay ID | --replay-all] [--job NAME]

Lists the jobs that wait, counted, and those that failed for good one by one: their id, what they were to do, how often it was
tried and what the last attempt failed with. They are kept for 90 days.

  --replay ID   puts one that failed back into its queue, with as many attempts as a new one; the running server takes it up at once
  --replay-all  the same for all of them
  --job NAME    only those of this name, such as notify-owner`,
    options: {
      replay: { type: 'string' },
      'replay-all': { type: 'boolean', default: false },
      job: { type: 'string' },
    },
  },
  async (values) => {
    const { replay: one, 'replay-all': all, job = null } = values;
    if (one !== undefined && all) throw new UsageError('Either --replay or --replay-all');
    if (one !== undefined && !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(one))
      throw new UsageError(`'${one}' is not the id of a job`);
    return withProduct(async (ctx) => {
      if (one === undefined && !all) {
        for (const line of await listJobs(ctx, job)) console.log(line);
        return 0;
      }
      const { found, replayed } = await replayJobs(ctx, job, one ?? null);
      console.log(`${replayed} of ${found} put back into the queue`);
      return one !== undefined && replayed === 0 ? 1 : 0;
    });
  },
);

const findFailed = (ctx: Ctx, job: string | null, id: string | null, limit: number | null) =>
  ctx.db.query<UnfinishedJob>(
    `select * from ${unfinishedJobs} job
     where state = 'failed' and ($1::text is null or job = $1) and ($2::uuid is null or id = $2) order by since limit $3`,
    [job, id, limit],
  );

/** @returns lines: the numbers of pending and failed jobs by name, then each dead letter */
export async function listJobs(ctx: Ctx, job: string | null): Promise<string[]> {
  const counts = await ctx.db.query<{ job: string; state: string; count: number }>(
    `select job, state, count(*)::integer as count from ${unfinishedJobs} job where $1::text is null or job = $1
     group by 1, 2 order by 2 desc, 1`,
    [job],
  );
  if (counts.length === 0) return ['No job waits, and none has failed for good.'];
  const failed = await findFailed(ctx, job, null, maxListed);
  return [
    ...counts.map(({ job: name, state, count }) => `${String(count).padStart(8)} ${state}  ${name}`),
    ...failed.map(({ id, job: name, since, attempts, error }) =>
      [id, since.toISOString(), name, `${attempts} attempts`, (error ?? '').replace(/\s+/g, ' ')].join('  '),
    ),
  ];
}

/** Replays each job in its own transaction and skips jobs that another process has replayed meanwhile. */
export async function replayJobs(
  ctx: Ctx,
  job: string | null,
  id: string | null,
): Promise<{ found: number; replayed: number }> {
  const failed = await findFailed(ctx, job, id, null);
  let replayed = 0;
  for (const deadLetter of failed) if (await replayJob(ctx, deadLetter.id)) replayed++;
  return { found: failed.length, replayed };
}

const replayJob = (ctx: Ctx, id: string): Promise<boolean> =>
  ctx.db.transaction(async (tx) => {
    const job = await replay(tx, id);
    // Only notification jobs have a delivery row; for others this updates none.
    if (job) await setQueued(tx, id);
    if (job) await audit(tx, { act: 'job.replayed', actorId: null, details: { job, id } });
    return job !== null;
  });
