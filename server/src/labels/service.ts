import type { LabelContent, LabelsInput } from '@waybill/contract';
import { auditContactViews } from '../audit/contact-views.ts';
import type { Ctx } from '../ctx.ts';
import { addressOf, asWindow, handlingOf, isWithdrawnStatus } from '../packages/row.ts';
import { scopeOf } from '../packages/service.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { AppError, notFound } from '../platform/errors.ts';
import type { WholeFile } from '../platform/http/http.ts';
import { findLabelRows, type LabelRow } from './queries.ts';
import { renderLabels } from './renderer.ts';

/**
 * Makes the labels of packages, in this order.
 * @param origin the public origin of the product, for the link in the QR code; null when unknown
 * @throws not_found if the caller may not see all of them, illegal_step for cancelled and deleted ones
 */
export async function printLabels(
  ctx: Ctx,
  actor: Actor,
  { packageIds, size }: LabelsInput,
  origin: string | null,
): Promise<WholeFile> {
  await ctx.rateLimits.take('labels', actor.id, { points: packageIds.length, message: tooMany });
  if (origin === null)
    throw new AppError('public_url_missing', 'No label can be made: PUBLIC_URL is not set on the server.');
  const rows = new Map((await findLabelRows(ctx.db, packageIds, scopeOf(actor))).map((row) => [row.id, row]));
  const chosen = packageIds.map((id) => {
    const row = rows.get(id.toLowerCase());
    if (!row) throw notFound('package');
    return row;
  });
  assertPrintable(chosen);
  await auditContactViews(ctx.db, actor, chosen);
  const { organisationName, timeZone } = await ctx.settings.find();
  const labels = chosen.map((row) => ({
    content: asLabel(row, organisationName),
    link: `${origin}/track/${row.tracking_id}`,
  }));
  const [first] = chosen;
  return {
    name: `${chosen.length === 1 && first ? `label-${first.tracking_id}` : 'labels'}.pdf`,
    bytes: await renderLabels({ labels, size, zone: timeZone }),
  };
}

const tooMany = 'Too many labels at once. Please try again in a minute.';

const maxNamed = 5;

function assertPrintable(chosen: LabelRow[]): void {
  const withdrawn = chosen.filter(({ status }) => isWithdrawnStatus(status));
  if (withdrawn.length === 0) return;
  const names = withdrawn.slice(0, maxNamed).map(({ tracking_id: id }) => id);
  const others = withdrawn.length - names.length;
  const list = [...names, ...(others > 0 ? [`${others} more`] : [])].join(', ');
  throw new AppError('illegal_step', `Cancelled and deleted packages have no label: ${list}`);
}

const asLabel = (row: LabelRow, organisation: string): LabelContent => ({
  organisation,
  trackingId: row.tracking_id,
  reference: row.reference,
  name: row.name,
  weight: row.weight,
  sender: row.sender,
  recipientName: row.recipient_name,
  address: addressOf(row),
  window: asWindow(row),
  eta: row.eta,
  handling: handlingOf(row),
});
