import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { seesOthers } from './machine.ts';
import { disturbedShare, type Disturbances } from './rounds.ts';
import type { Size } from './sizes.ts';

/** The result of one measure: the product compared with its baseline. */
export interface Finding {
  measure: string;
  unit:
    | 'requests/s'
    | 'rows/s'
    | 'points/s'
    | 'ms'
    | 's'
    | 'min'
    | 'a second'
    | 'KB'
    | 'MB'
    | 'CPU s a second'
    | 'requests'
    | '%'
    | 'faults'
    | 'of 100'
    | 'of the screen';
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

/** One part of a run. */
export interface Part {
  name: string;
  findings: Finding[];
  /** Conditions that a reader must know, as sentences. */
  notes: string[];
  /** Why it failed; null if it did not. */
  failure: string | null;
  seconds: number;
  disturbances: Disturbances;
}

/** The conditions of a run. */
export interface Conditions {
  size: Size;
  postgres: string;
  commit: string;
  /** How long seeding took; null if seeded databases of an earlier run were used. */
  seedSeconds: number | null;
  /** Parts that have not run. */
  missing: string[];
}

/** @returns whether the goal is met; null without a goal. A figure that is not a number meets none. */
export function isMet({ goal, ratio, product }: Finding): boolean | null {
  const figure = goal?.of === 'ratio' ? ratio : product;
  if (!goal || figure === null) return null;
  return goal.is === 'at least' ? figure >= goal.bound : figure <= goal.bound;
}

const short = (figure: number): string => {
  if (figure >= 1000) return Math.round(figure).toLocaleString('en');
  return figure.toFixed(figure >= 100 ? 0 : figure >= 10 ? 1 : 2);
};

function cells(finding: Finding): string[] {
  const { measure, unit, product, baseline, ratio, goal } = finding;
  const met = isMet(finding);
  return [
    measure,
    `${short(product)} ${unit}`,
    baseline ? `${short(baseline.figure)} ${unit}, ${baseline.name}` : '',
    ratio === null ? '' : ratio.toFixed(2),
    goal ? `${goal.is} ${goal.bound}${goal.of === 'product' ? ` ${unit}` : ''}` : '',
    met === null ? '' : met ? 'yes' : 'NO',
  ];
}

const head = ['Measure', 'Waybill', 'Baseline', 'Ratio', 'Goal', 'Met'];

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The time and the disturbances of a part as one sentence. */
function circumstances({ seconds, disturbances: { rounds, repeated, kept, largestShare } }: Part): string {
  const took = `Took ${Math.round(seconds)} s`;
  if (rounds === 0) return `${took}.`;
  if (!seesOthers) return `${took}; this system does not tell whether a round was disturbed.`;
  if (repeated + kept === 0) return `${took}; no round was disturbed.`;
  const counted = `, ${kept} counted although disturbed, with at most ${Math.round(largestShare * 100)} % of the CPU taken by others`;
  return `${took}; of ${plural(rounds, 'round')} ${repeated} were disturbed and repeated${kept > 0 ? counted : ''}.`;
}

const sentencesOf = (part: Part): string[] => [
  ...(part.failure === null ? [] : [`FAILED: ${part.failure}`]),
  ...part.notes,
  circumstances(part),
];

/** For the terminal. */
export function asText(part: Part): string {
  const rows = [head, ...part.findings.map(cells)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  const table = part.findings.length === 0 ? [] : padded.map((row) => row.join('  ').trimEnd());
  return [part.name, ...table, ...sentencesOf(part)].join('\n');
}

function asMarkdown(part: Part): string {
  const table = [head, head.map(() => '---'), ...part.findings.map(cells)].map((row) => `| ${row.join(' | ')} |`);
  const paragraphs = [`## ${part.name}`, ...(part.findings.length === 0 ? [] : [table.join('\n')])];
  return [...paragraphs, sentencesOf(part).join(' ')].join('\n\n');
}

/** The content of RESULTS.md. */
export function reportOf(
  parts: Part[],
  { size, postgres, commit, seedSeconds, missing }: Conditions,
  date: Date,
): string {
  const findings = parts.flatMap((part) => part.findings);
  const goals = findings.map(isMet).filter((met) => met !== null);
  const missed = goals.filter((met) => !met).length;
  const failed = parts.filter(({ failure }) => failure !== null).map(({ name }) => name);
  const seconds = parts.reduce((sum, part) => sum + part.seconds, seedSeconds ?? 0);
  const seeded =
    seedSeconds === null ? 'in databases seeded by an earlier run' : `seeded in ${Math.round(seedSeconds)} s`;
  const head = `Written by \`npm run bench\` on ${date.toISOString().slice(0, 10)}, commit ${commit}: ${plural(availableParallelism(), 'core')}, Node ${process.versions.node},
PostgreSQL ${postgres}, ${size.packages.toLocaleString('en')} packages ${seeded}. The run took ${Math.round(seconds / 60)} minutes.

Product, baseline, load and database share the cores, so absolute figures depend on the machine. Trust the ratios: contenders are measured in turn,
in ${plural(size.rounds, 'round')} unless noted otherwise, each pair of rounds in another order and in its reverse. Figures are medians of the rounds; the ratio is the
median of the rounds' ratios. A round in which other processes or the hypervisor took more than ${disturbedShare * 100} % of the CPU is disturbed, and repeated while there is time for that; each part says how often. Rate limits
and load shedding are off unless the measure says “as shipped”.`;
  const summary = [
    `${goals.length - missed} of ${plural(goals.length, 'goal')} are met${missed > 0 ? `; search for NO to find the ${missed} missed` : ''}. ${plural(findings.length - goals.length, 'figure')} have no goal.`,
    ...(failed.length > 0 ? [`FAILED, so without all their figures: ${failed.join(', ')}.`] : []),
    ...(missing.length > 0 ? [`The run ended early, without: ${missing.join(', ')}.`] : []),
  ];
  return `# Results\n\n${[head, summary.join(' '), ...parts.map(asMarkdown)].join('\n\n')}\n`;
}

/** Writes RESULTS.md: after each part, so that an interrupted run leaves what it measured. */
export async function writeResults(parts: Part[], conditions: Conditions): Promise<void> {
  await writeFile(join(import.meta.dirname, 'RESULTS.md'), reportOf(parts, conditions, new Date()));
}
