import type { Counted, Needs, Permission } from '@waybill/contract';
import { countOpenMessages } from '../contact/service.ts';
import type { Ctx } from '../ctx.ts';
import { findOpenIncidents } from '../incidents/service.ts';
import { countFailedSent } from '../notifications/sent.ts';
import { countKept } from '../packages/kept-counts.ts';
import { filterTroubles } from '../packages/lists.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Queryable } from '../platform/database/db.ts';
import { filterList, type Count } from '../platform/database/keyset-lists.ts';
import { zoneOf } from '../settings/effective-settings.ts';
import { readAbandoned } from '../shifts/absences.ts';
import { countAwaitingApproval } from '../users/accounts.ts';
import { dayIn } from './queries.ts';

const incidentsShown = 5;
const abandonedShown = 10;

const asCounted = ({ total, isCapped }: Count): Counted => ({ count: total, isCapped });

/** Counts what waits for a decision, each up to 10,000, so that the time does not grow with what was left lying. */
export async function readNeeds(ctx: Ctx, actor: Actor): Promise<Needs> {
  const ifMay = async <T>(permission: Permission, read: () => Promise<T>): Promise<T | null> =>
    actor.permissions.includes(permission) ? read() : null;
  const ifMayCount = (permission: Permission, count: () => Promise<Count>) =>
    ifMay(permission, async () => asCounted(await count()));
  const [incidents, overdue, atRisk, absent, afterFailure, pins, waiting, messages, accounts, notifications] =
    await Promise.all([
      ifMay('admin.access', async () => {
        const { items, ...count } = await findOpenIncidents(ctx, actor, incidentsShown);
        return { ...asCounted(count), newest: items };
      }),
      ifMayCount('packages.view_all', () => countTroubled(ctx, { overdue: true })),
      ifMayCount('packages.view_all', () => countTroubled(ctx, { atRisk: true })),
      ifMay('deliveries.assign', async () => {
        const soonest = await readAbandoned(ctx, abandonedShown + 1);
        const isCapped = soonest.length > abandonedShown;
        return { count: soonest.length - Number(isCapped), isCapped, soonest: soonest.slice(0, abandonedShown) };
      }),
      ifMay('packages.view_all', async () => {
        const { today, ...count } = await countAfterFailure(ctx);
        return { ...asCounted(count), today };
      }),
      ifMayCount('packages.view_all', () => countTroubled(ctx, { needsPin: true })),
      ifMayCount('packages.view_all', () => countKept(ctx.reads, { statuses: ['processing'] })),
      ifMayCount('admin.access', () => countOpenMessages(ctx.reads)),
      ifMayCount('admin.manage_users', () => countAwaitingApproval(ctx.reads)),
      ifMayCount('admin.access', () => countFailedSent(ctx.reads)),
    ]);
  return {
    asOf: ctx.now().toISOString(),
    incidents,
    overdue,
    atRisk,
    absent,
    afterFailure,
    pins,
    waiting,
    messages,
    accounts,
    notifications,
  };
}

async function countTroubled(
  ctx: Ctx,
  trouble: { overdue: true } | { atRisk: true } | { needsPin: true },
): Promise<Count> {
  const filter = filterList({}, {});
  await filterTroubles(ctx, filter, trouble);
  return filter.count(ctx.reads, 'packages');
}

/** The packages that the list of `failed=true&status=processing` has. */
async function countAfterFailure(ctx: Ctx): Promise<Count & { today: number }> {
  const filter = filterList({}, {});
  filter.where("failed_at is not null and status = 'processing'");
  const zone = await zoneOf(ctx.settings, {});
  const [count, today] = await Promise.all([
    filter.count(ctx.reads, 'packages'),
    countFailedToday(ctx.reads, zone, ctx.now()),
  ]);
  return { ...count, today };
}

async function countFailedToday(db: Queryable, zone: string, now: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from packages
     where failed_at is not null and status = 'processing' and failed_at >= ${dayIn('$2::timestamptz', '$1')}::timestamp at time zone $1`,
    [zone, now],
  );
  return row?.count ?? 0;
}
