import type { User, UserExportQuery } from '@waybill/contract';
import type * as z from 'zod/mini';
import { audit } from '../audit/service.ts';
import type { Ctx } from '../ctx.ts';
import { csvOf, type Cell, type CsvFile } from '../platform/csv/csv.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { asUser, userColumns, type UserRow } from './queries.ts';
import { filterUsers } from './accounts.ts';

const columns: Record<string, (user: User) => Cell> = {
  id: (user) => user.id,
  name: (user) => user.name,
  email: (user) => user.email,
  role: (user) => user.role,
  status: (user) => user.status,
  phone: (user) => user.phone,
  yearsOfExperience: (user) => user.yearsOfExperience,
  vehicleType: (user) => user.vehicleInfo?.type ?? null,
  vehicleModel: (user) => user.vehicleInfo?.model ?? null,
  vehicleLicensePlate: (user) => user.vehicleInfo?.licensePlate ?? null,
  lastLogin: (user) => user.lastLogin,
  createdAt: (user) => user.createdAt,
  updatedAt: (user) => user.updatedAt,
};

/** Exports all accounts that match the list's filters, newest first. */
export async function exportUsers(ctx: Ctx, actor: Actor, query: z.output<typeof UserExportQuery>): Promise<CsvFile> {
  const filter = filterUsers(query);
  await ctx.rateLimits.take('exports', actor.id);
  await audit(ctx.db, { act: 'users.exported', actorId: actor.id });
  const sql = `select ${userColumns} from users ${filter.all()}`;
  return {
    name: `users-${ctx.now().toISOString().slice(0, 10)}.csv`,
    chunks: (signal) => csvOf(columns, asUser, ctx.longRunning.streamRows<UserRow>(sql, filter.values(), signal)),
  };
}
