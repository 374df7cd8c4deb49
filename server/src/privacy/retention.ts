import { originDays } from '../audit/service.ts';
import type { Config } from '../config.ts';
import type { Ctx } from '../ctx.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { redactUser, listErasures } from './erasure.ts';
import { countOrphans, countWithdrawn, moveWithdrawn, removeOrphans } from '../images/service.ts';
import {
  createPartitions,
  dropPartition,
  listPartitionsOlderThan,
  listUnbounded,
} from '../platform/database/partitions.ts';
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import { eraseRecipients } from './recipients.ts';

/** The retention rule of one kind of data. */
interface Rule {
  name: string;
  /** The number of expired rows or files. */
  count(ctx: Ctx): Promise<number>;
  /** Removes what has expired, in batches. @returns the number removed */
  remove(ctx: Ctx): Promise<number>;
}

/** Rows per statement or transaction: few enough for the statement time-out, and for transactions that wait for a row lock. */
const batchSize = 500;

/**
 * All retention rules, in the order in which they run. Statistics, events and the audit log stay for good.
 * The limits of sessions, keys and links must match those that refuse them (users/sessions.ts, platform/http/idempotency.ts, users/queries.ts).
 */
const rules: Rule[] = [
  expiredRows(
    'sessions',
    'sessions',
    "last_used_at < now() - interval '7 days' or created_at < now() - interval '30 days'",
  ),
  expiredDays('idempotency keys', 'idempotency_keys', 'created_at', 7),
  expiredRows('rate limits', 'rate_limits', 'expire < extract(epoch from now()) * 1000'),
  // Twice the longest default window of a counter.
  expiredRows('failed sign-ins', 'sign_in_failures', "last_at < now() - interval '2 hours'"),
  // Used links are already deleted.
  expiredRows('password links', 'password_resets', 'expires_at < now()'),
  expiredRows(
    'import reports',
    'package_imports',
    'created_at < now() - make_interval(days => $1)',
    ({ importReportDays }) => importReportDays,
  ),
  { name: 'read notifications', count: countReadNotifications, remove: removeReadNotifications },
  { name: 'unread notifications', count: countUnreadNotifications, remove: removeUnreadNotifications },
  expiredDays('positions', 'positions', 'at', (_settings, { RETENTION_POSITIONS_DAYS: days }) => days),
  expiredRows(
    'last positions',
    'driver_positions',
    'at < now() - make_interval(days => $1)',
    (_settings, { RETENTION_POSITIONS_DAYS: days }) => days,
  ),
  expiredRows(
    'stays at doors',
    'door_stays',
    'near_at < now() - make_interval(days => $1)',
    (_settings, { RETENTION_POSITIONS_DAYS: days }) => days,
  ),
  // Reasons for an absence, such as an illness, are not kept beyond the year that a schedule is looked up for.
  expiredRows('absences', 'absences', "ends_at < now() - interval '365 days'"),
  // More days than are learned from, or shown.
  expiredRows('forecasts of arrivals', 'arrival_forecasts', "made_at < now() - interval '60 days'"),
  expiredDays('sent messages', 'messages', 'at', ({ notificationDays }) => notificationDays),
  expiredRows(
    'resolved messages',
    'contact_messages',
    'resolved_at < now() - make_interval(days => $1)',
    ({ messageDays }) => messageDays,
  ),
  expiredRows('origins of audited acts', 'audit_origins', `at < now() - interval '${originDays} days'`),
  expiredRows('views of contacts', 'contact_views', "hour < now() - interval '365 days'"),
  // What became of them stands in the history of their packages.
  expiredRows('offers of stops', 'route_offers', "expires_at < now() - interval '30 days'"),
  { name: 'recipients', count: countRecipients, remove: removeRecipients },
  expiredRows(
    'addresses',
    'addresses',
    'used_at < now() - make_interval(days => $1)',
    ({ recipientDays }) => recipientDays,
  ),
  {
    name: 'deleted users in texts',
    count: async ({ db }) => (await listErasures(db)).length,
    async remove(ctx) {
      const due = await listErasures(ctx.db);
      for (const userId of due) await redactUser(ctx, userId);
      return due.length;
    },
  },
  // Normally moved by a job at once. Here: those whose job is a dead letter, or that were cancelled before the job existed.
  { name: 'withdrawn images', count: ({ db }) => countWithdrawn(db), remove: moveWithdrawn },
  // After the recipients, whose images are detached above.
  { name: 'unused images', count: countOrphans, remove: removeOrphans },
];

/** The number of rows and files that a purge would remove now, by kind. */
export async function countExpired(ctx: Ctx): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, count } of rules) counts[name] = await count(ctx);
  return counts;
}

/**
 * Removes what has expired. Holds an advisory lock: returns null when another process is purging. A failing kind does not stop the others.
 * @returns the number removed by kind, and error messages
 */
export const purge = (ctx: Ctx): Promise<{ removed: Record<string, number>; faults: string[] } | null> =>
  ctx.longRunning.withAdvisoryLock('purge', async () => {
    const removed: Record<string, number> = {};
    const faults: string[] = [];
    await createPartitions(ctx.db, new Date()).catch((error: unknown) =>
      faults.push(`partitions: ${messageOf(error)}`),
    );
    for (const { name, remove } of rules) {
      try {
        removed[name] = await remove(ctx);
      } catch (error) {
        faults.push(`${name}: ${messageOf(error)}`);
      }
    }
    return { removed, faults };
  });

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A rule that deletes the rows of a table that match the SQL condition `due`; `days` is its $1, null for those that stay. */
function expiredRows(
  name: string,
  table: string,
  due: string,
  days?: (settings: EffectiveSettings, config: Config) => number | null,
): Rule {
  const paramsFor = async ({ settings, config }: Ctx) => (days ? [days(await settings.find(), config)] : []);
  return {
    name,
    async count(ctx) {
      const [row] = await ctx.db.query<{ total: string }>(
        `select count(*) as total from ${table} where ${due}`,
        await paramsFor(ctx),
      );
      return Number(row?.total ?? 0);
    },
    async remove(ctx) {
      const params = await paramsFor(ctx);
      return inBatches(async () => {
        // Check the condition again in the outer query: a row that was used concurrently is no longer due.
        const deleted = await ctx.db.query(
          `delete from ${table} where ctid = any(array(select ctid from ${table} where ${due} limit ${batchSize})) and (${due})
           returning 1`,
          params,
        );
        return deleted.length;
      });
    },
  };
}

/**
 * A rule that drops the partitions whose days ended more than `days` ago, so a row goes up to a day later. Only rows that are in no
 * day's partition are deleted one by one. Of partitions the estimated number of rows is told, since counting them would read them.
 */
function expiredDays(
  name: string,
  table: string,
  column: string,
  limit: number | ((settings: EffectiveSettings, config: Config) => number),
): Rule {
  const daysFor = async ({ settings, config }: Ctx) =>
    typeof limit === 'number' ? limit : limit(await settings.find(), config);
  const dueAfter = (count: number) => `${column} < now() - make_interval(days => ${count})`;
  return {
    name,
    async count(ctx) {
      const days = await daysFor(ctx);
      const due = dueAfter(days);
      let total = 0;
      for (const { estimatedRows } of await listPartitionsOlderThan(ctx.db, table, days * 86_400))
        total += estimatedRows;
      for (const partition of await listUnbounded(ctx.db, table)) {
        const [row] = await ctx.db.query<{ total: string }>(`select count(*) as total from ${partition} where ${due}`);
        total += Number(row?.total ?? 0);
      }
      return total;
    },
    async remove(ctx) {
      const days = await daysFor(ctx);
      const due = dueAfter(days);
      let total = 0;
      for (const { name: partition, estimatedRows } of await listPartitionsOlderThan(ctx.db, table, days * 86_400))
        if (await dropPartition(ctx.db, table, partition)) total += estimatedRows;
      for (const partition of await listUnbounded(ctx.db, table)) {
        total += await inBatches(async () => {
          const deleted = await ctx.db.query(
            `delete from ${partition} where ctid = any(array(select ctid from ${partition} where ${due} limit ${batchSize})) returning 1`,
          );
          return deleted.length;
        });
      }
      return total;
    },
  };
}

const readIsDue = 'read_at < now() - make_interval(days => $1)';

async function countReadNotifications({ settings, db }: Ctx): Promise<number> {
  const { notificationDays: days } = await settings.find();
  const [row] = await db.query<{ total: string }>(`select count(*) as total from notifications where ${readIsDue}`, [
    days,
  ]);
  return Number(row?.total ?? 0);
}

/** One by one, with their deliveries: they expire by when they were read, so they are in the partitions of many months. */
async function removeReadNotifications({ settings, db }: Ctx): Promise<number> {
  const { notificationDays: days } = await settings.find();
  return inBatches(async () => {
    const removed = await db.query(
      `with due as (
         select user_id, event_id, created_at from notifications where ${readIsDue} limit ${batchSize}
       ), removed as (
         delete from notifications told using due
         where (told.user_id, told.event_id, told.created_at) = (due.user_id, due.event_id, due.created_at) and told.${readIsDue}
         returning told.id, told.created_at
       ), deliveries as (
         delete from notification_deliveries d using removed
         where d.notification_id = removed.id and d.at between removed.created_at - interval '1 second' and removed.created_at + interval '1 second'
       )
       select from removed`,
      [days],
    );
    return removed.length;
  });
}

const unreadDays = 365;
const unreadIsDue = `read_at is null and created_at < now() - make_interval(days => ${unreadDays})`;

async function countUnreadNotifications({ settings, db }: Ctx): Promise<number> {
  const { notificationDays } = await settings.find();
  const { whole, byRow } = await findExpiredMonths(db, notificationDays);
  let total = 0;
  for (const { estimatedRows } of whole) total += estimatedRows;
  for (const partition of byRow) {
    const [row] = await db.query<{ total: string }>(`select count(*) as total from ${partition} where ${unreadIsDue}`);
    total += Number(row?.total ?? 0);
  }
  return total;
}

const hasReadLately = async (db: Queryable, partition: string, days: number): Promise<boolean> =>
  (await db.query(`select from ${partition} where read_at >= now() - make_interval(days => $1) limit 1`, [days]))
    .length > 0;

/**
 * The months of notifications that ended more than 365 days ago.
 * @returns `whole`: nothing in them was read so lately that it stays; `byRow`: the others, and the partitions of no month
 */
async function findExpiredMonths(db: Queryable, days: number) {
  const months = await listPartitionsOlderThan(db, 'notifications', unreadDays * 86_400);
  const whole: typeof months = [];
  const byRow = await listUnbounded(db, 'notifications');
  for (const month of months)
    if (await hasReadLately(db, month.name, days)) byRow.push(month.name);
    else whole.push(month);
  return { whole, byRow };
}

/** Drops months, and the deliveries of those months. Of a month in which something was read lately the unread ones are deleted one by one. */
async function removeUnreadNotifications({ settings, db }: Ctx): Promise<number> {
  const { notificationDays: days } = await settings.find();
  const { whole, byRow } = await findExpiredMonths(db, days);
  let total = 0;
  for (const { name, estimatedRows } of whole) {
    const isDue = async (tx: Tx) => !(await hasReadLately(tx, name, days));
    if (await dropPartition(db, 'notifications', name, isDue)) total += estimatedRows;
  }
  for (const partition of byRow) {
    total += await inBatches(async () => {
      const removed = await db.query(
        `with removed as (
           delete from ${partition} where ctid = any(array(select ctid from ${partition} where ${unreadIsDue} limit ${batchSize})) and ${unreadIsDue}
           returning id
         ), deliveries as (
           delete from notification_deliveries where notification_id in (select id from removed)
         )
         select from removed`,
      );
      return removed.length;
    });
  }
  for (const { name, lowerBound, upperBound } of await listPartitionsOlderThan(
    db,
    'notification_deliveries',
    unreadDays * 86_400,
  )) {
    const isDue = async (tx: Tx) => {
      const told = await tx.query(
        "select from notifications where created_at >= coalesce($1::timestamptz, '-infinity') and created_at < $2::timestamptz limit 1",
        [lowerBound, upperBound],
      );
      return told.length === 0;
    };
    await dropPartition(db, 'notification_deliveries', name, isDue);
  }
  return total;
}

async function inBatches(removeBatch: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await removeBatch();
    total += removed;
    if (removed < batchSize) return total;
  }
}

/** The period starts at the delivery, or at the last change of a package that is not delivered. */
const recipientIsDue = `not recipient_removed and (
  (status = 'delivered' and completed_at < now() - make_interval(days => $1))
  or (status <> 'delivered' and updated_at < now() - make_interval(days => $1)))`;

async function countRecipients({ settings, db }: Ctx): Promise<number> {
  const { recipientDays: days } = await settings.find();
  if (days === null) return 0;
  const [row] = await db.query<{ total: string }>(`select count(*) as total from packages where ${recipientIsDue}`, [
    days,
  ]);
  return Number(row?.total ?? 0);
}

/** Removes the recipient, their address and the proof of delivery. The package stays in lists and statistics. */
async function removeRecipients({ settings, db }: Ctx): Promise<number> {
  const { recipientDays: days } = await settings.find();
  if (days === null) return 0;
  const due = `id = any(array(select id from packages where ${recipientIsDue} limit ${batchSize} for no key update skip locked))`;
  return inBatches(() => db.transaction((tx) => eraseRecipients(tx, due, days)));
}
