import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Size } from './sizes.ts';

/** The result of one measure: the product compared with its baseline. */
export interface Finding {
  promise: string;
  unit: 'requests/s' | 'rows/s' | 'ms' | 'KB' | 'CPU s a second' | 'of 100' | 'of the screen';
  product: number;
  baseline: { name: string; figure: number } | null;
  /** The product's figure divided by the baseline's. */
  ratio: number | null;
  goal: Goal | null;
}

export interface Goal {
  of: 'ratio' | 'product';
  is: 'at least' | 'at most';
  bound: number;
}

export type Bench = { name: string; findings: Finding[] };

const met = ({ goal, ratio, product }: Finding): boolean | null => {
  const figure = goal?.of === 'ratio' ? ratio : product;
  if (!goal || figure === null) return null;
  return goal.is === 'at least' ? figure >= goal.bound : figure <= goal.bound;
};

const short = (figure: number): string => {
  if (figure >= 1000) return Math.round(figure).toLocaleString('en');
  return figure.toFixed(figure >= 100 ? 0 : figure >= 10 ? 1 : 2);
};

function cells(finding: Finding): string[] {
  const { promise, unit, product, baseline, ratio, goal } = finding;
  const fulfilled = met(finding);
  return [
    promise,
    `${short(product)} ${unit}`,
    baseline ? `${short(baseline.figure)} ${unit}, ${baseline.name}` : '',
    ratio === null ? '' : ratio.toFixed(2),
    goal ? `${goal.is} ${goal.bound}${goal.of === 'product' ? ` ${unit}` : ''}` : '',
    fulfilled === null ? '' : fulfilled ? 'yes' : 'NO',
  ];
}

const head = ['Promise', 'Waybill', 'Beside it', 'Ratio', 'Goal', 'Met'];

export function asTable(findings: Finding[]): string {
  const rows = [head, ...findings.map(cells)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  return padded.map((row) => row.join('  ').trimEnd()).join('\n');
}

const asMarkdown = (findings: Finding[]): string =>
  [head, head.map(() => '---'), ...findings.map(cells)].map((row) => `| ${row.join(' | ')} |`).join('\n');

export async function writeResults(benches: Bench[], size: Size, postgres: string): Promise<void> {
  const text = `# Results

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${availableParallelism()} cores, Node ${process.versions.node}, PostgreSQL ${postgres},
${size.packages.toLocaleString('en')} packages, production settings with the limits off but where it says "as shipped". Product, baseline, load and database share the cores,
so the figures tell little and the ratios much: each is the median of ${size.rounds} interleaved rounds' own ratios.

${benches.map(({ name, findings }) => `## ${name}\n\n${asMarkdown(findings)}`).join('\n\n')}
`;
  await writeFile(join(import.meta.dirname, 'RESULTS.md'), text);
}
