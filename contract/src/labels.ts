import * as z from 'zod/mini';
import { group } from './endpoint.ts';
import { PackageIds } from './package-ids.ts';

/** `label`: 100 x 150 mm, one per page. `a4`: four on a sheet, to cut apart. */
export const LabelSize = z.enum(['label', 'a4'], 'Must be label or a4');
export type LabelSize = z.output<typeof LabelSize>;

export const LabelsInput = z.strictObject({ packageIds: PackageIds, size: LabelSize });
export type LabelsInput = z.output<typeof LabelsInput>;

export const labels = group({
  print: {
    method: 'POST',
    path: '/packages/labels',
    summary: 'Print the labels of packages, as a PDF',
    failure: 'The labels could not be made.',
    limit: 'own',
    access: { anyOf: ['packages.read', 'packages.view_all'] },
    scope: 'own packages',
    body: LabelsInput,
    // Read-only; a POST because 200 ids are too long for a query string.
    repeats: 'are executed again',
    reply: 'pdf',
    errors: ['not_found', 'illegal_step', 'public_url_missing'],
  },
});
