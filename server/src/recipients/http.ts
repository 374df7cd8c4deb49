import { recipients, type RecipientView } from '@waybill/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { rateAsRecipient } from '../packages/rating.ts';
import type { PackageRow } from '../packages/row.ts';
import { bind } from '../platform/http/http.ts';
import { linkOrigin } from '../platform/origin/link-origin.ts';
import { openLink, readLink, renewLink, requireRecipient } from './access.ts';
import { changeDelivery, withdrawChange } from './changes.ts';
import { asRecipientView } from './view.ts';

export function recipientsHttp(app: FastifyInstance, ctx: Ctx) {
  /** Carries out a change within the package's limit, and answers what the page shows then. */
  const changing = async (
    ctx: Ctx,
    id: string,
    request: FastifyRequest,
    change: (pkg: PackageRow) => Promise<void>,
  ): Promise<RecipientView> => {
    const pkg = await requireRecipient(ctx, ctx.db, id, request);
    await ctx.rateLimits.take('recipientChange', pkg.id);
    await change(pkg);
    return asRecipientView(ctx, await requireRecipient(ctx, ctx.db, id, request));
  };
  bind(app, ctx, recipients, {
    link: (ctx, { actor, params, request }) => readLink(ctx, actor, params.id, linkOrigin(ctx.config, request)),
    renewLink: (ctx, { actor, params, request }) => renewLink(ctx, actor, params.id, linkOrigin(ctx.config, request)),
    access: (ctx, { params, body, request }) => openLink(ctx, params.id, body.key, request),
    view: async (ctx, { params, request }) =>
      asRecipientView(ctx, await requireRecipient(ctx, ctx.db, params.id, request)),
    change: (ctx, { params, body, request }) =>
      changing(ctx, params.id, request, (pkg) => changeDelivery(ctx, pkg, body)),
    rate: (ctx, { params, body, request }) =>
      changing(ctx, params.id, request, (pkg) => rateAsRecipient(ctx, pkg.id, body)),
    withdraw: (ctx, { params, request }) =>
      changing(ctx, params.id, request, (pkg) => withdrawChange(ctx, pkg, params.changeId)),
  });
}
