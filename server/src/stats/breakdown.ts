import {
  countDays,
  dayIn,
  maxBreakdownDays,
  permissionForBreakdown,
  type AttemptFigures,
  type Breakdown,
  type BreakdownQuery,
  type BreakdownRow,
  type OwnFiguresQuery,
} from '@waybill/contract';
import { audit } from '../audit/service.ts';
import type { Ctx } from '../ctx.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { csvOf, type Cell, type CsvFile } from '../platform/csv/csv.ts';
import { forbidden, invalid } from '../platform/errors.ts';
import { zoneOf } from '../settings/effective-settings.ts';
import { groupStatement, type AttemptSums, type DrivenSums, type GroupRow, type KeptBy } from './attempt-sums.ts';

/** The number of rows in a reply. */
const maxRows = 500;

const dayMs = 86_400_000;
const shiftDay = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** Both days are inclusive. */
interface Period {
  from: string;
  to: string;
}

interface Wanted extends Period {
  by: KeptBy;
  months?: { key: string };
}

/** @throws invalid if it ends before it begins, or is too long */
async function periodOf(ctx: Ctx, query: OwnFiguresQuery): Promise<Period> {
  const to = query.to ?? dayIn(await zoneOf(ctx.settings, {}), ctx.now());
  const from = query.from ?? shiftDay(to, -29);
  if (from > to) throw invalid({ to: 'to must not be before from' });
  if (countDays({ from, to }) > maxBreakdownDays)
    throw invalid({ to: `A period has at most ${maxBreakdownDays} days` });
  return { from, to };
}

const wantedOf = async (ctx: Ctx, query: BreakdownQuery): Promise<Wanted> => ({
  ...(await periodOf(ctx, query)),
  ...(query.by === 'month' ? { by: 'all', months: { key: '' } } : { by: query.by }),
});

/** @throws forbidden without the permission to see whom the rows name */
function requireNames(actor: Actor, { by }: BreakdownQuery): void {
  const permission = permissionForBreakdown(by);
  if (permission && !actor.permissions.includes(permission)) throw forbidden();
}

export async function readBreakdown(ctx: Ctx, actor: Actor, query: BreakdownQuery): Promise<Breakdown> {
  requireNames(actor, query);
  return await breakDown(ctx, await wantedOf(ctx, query));
}

/** The figures of a driver's own attempts, or of the attempts of an owner's packages, by month. */
export async function readOwnFigures(ctx: Ctx, actor: Actor, query: OwnFiguresQuery): Promise<Breakdown> {
  const own = await breakDown(ctx, {
    ...(await periodOf(ctx, query)),
    by: actor.role === 'driver' ? 'driver' : 'owner',
    months: { key: actor.id },
  });
  const withoutCost = <Figures extends AttemptFigures>(figures: Figures): Figures => ({ ...figures, cost: null });
  return {
    ...own,
    currency: null,
    totals: withoutCost(own.totals),
    before: withoutCost(own.before),
    rows: own.rows.map(withoutCost),
  };
}

async function breakDown(ctx: Ctx, { by, from, to, months }: Wanted): Promise<Breakdown> {
  const before = shiftDay(from, -countDays({ from, to }));
  const wanted = { before, from, to, limit: maxRows };
  const rows =
    by === 'all' || months
      ? await ctx.reads.query<GroupRow>(...groupStatement({ ...wanted, by, ...(months && { months }) }))
      : await ctx.breakdownSums.read(ctx.reads, { ...wanted, by });
  const partOf = (part: GroupRow['part']) => {
    const row = rows.find((row) => row.part === part);
    if (!row) throw new Error('a sum without a row');
    return asFigures(row);
  };
  const shown = rows.filter(({ part }) => part === 'group');
  return {
    asOf: ctx.now().toISOString(),
    from,
    to,
    totals: partOf('totals'),
    before: partOf('before'),
    rows: shown.map(asRow),
    more: (shown[0]?.groups ?? 0) - shown.length,
    currency: (await ctx.settings.find()).currency,
  };
}

const asRow = (row: GroupRow): BreakdownRow => ({
  key: row.key,
  name: row.name,
  route: row.day === null ? null : { day: row.day, driver: row.driver, depot: row.depot },
  completedBefore: row.completed_before,
  ...asFigures(row),
});

function asFigures(sums: AttemptSums & DrivenSums): AttemptFigures {
  const ended = sums.completed + sums.failed;
  return {
    completed: sums.completed,
    failed: sums.failed,
    successRate: ratio(100 * sums.completed, ended),
    onTime: sums.on_time,
    onTimeRate: ratio(100 * sums.on_time, sums.completed),
    firstAttempts: sums.first_attempts,
    firstAttemptSuccess: ratio(100 * sums.first_completed, sums.first_attempts),
    averageDeliveryTime: ratio(sums.delivery_ms / 60_000, sums.completed),
    stopsPerHour: ratio(ended, sums.worked_ms / 3_600_000),
    minutesAtDoor: ratio(sums.door_ms / 60_000, sums.doors),
    attemptsPerPackage: ratio(sums.attempts_needed, sums.completed),
    returns: sums.returns,
    kilometres: sums.metres && sums.metres / 1000,
    co2Kg: sums.co2_grams && sums.co2_grams / 1000,
    cost: sums.cost,
  };
}

/** Null when there is nothing to divide by, rather than an invented figure. */
const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Two decimals are enough for rates and averages. */
const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100);

const columns: Record<string, (row: BreakdownRow) => Cell> = {
  key: ({ key }) => key,
  name: ({ name }) => name,
  day: ({ route }) => route?.day ?? null,
  driver: ({ route }) => route?.driver ?? null,
  depot: ({ route }) => route?.depot ?? null,
  completed: ({ completed }) => completed,
  completedBefore: ({ completedBefore }) => completedBefore,
  failed: ({ failed }) => failed,
  successRate: ({ successRate }) => rounded(successRate),
  onTime: ({ onTime }) => onTime,
  onTimeRate: ({ onTimeRate }) => rounded(onTimeRate),
  firstAttempts: ({ firstAttempts }) => firstAttempts,
  firstAttemptSuccess: ({ firstAttemptSuccess }) => rounded(firstAttemptSuccess),
  averageDeliveryTime: ({ averageDeliveryTime }) => rounded(averageDeliveryTime),
  stopsPerHour: ({ stopsPerHour }) => rounded(stopsPerHour),
  minutesAtDoor: ({ minutesAtDoor }) => rounded(minutesAtDoor),
  attemptsPerPackage: ({ attemptsPerPackage }) => rounded(attemptsPerPackage),
  returns: ({ returns }) => returns,
  kilometres: ({ kilometres }) => rounded(kilometres),
  co2Kg: ({ co2Kg }) => rounded(co2Kg),
  cost: ({ cost }) => rounded(cost),
};

/** All rows of a breakdown, in the order of the reply. */
export async function exportBreakdown(ctx: Ctx, actor: Actor, query: BreakdownQuery): Promise<CsvFile> {
  requireNames(actor, query);
  await ctx.rateLimits.take('exports', actor.id);
  await audit(ctx.db, { act: 'figures.exported', actorId: actor.id });
  const wanted = await wantedOf(ctx, query);
  const { from, to } = wanted;
  const [sql, params] = groupStatement({ ...wanted, before: shiftDay(from, -countDays(wanted)) });
  return {
    name: `figures-by-${query.by}-${from}-to-${to}.csv`,
    chunks: (signal) => csvOf(columns, asRow, ctx.longRunning.streamRows<GroupRow>(sql, params, signal)),
  };
}
