import { expect, test } from 'vitest';
import { seesOthers } from './machine.ts';
import { asText, isMet, reportOf, type Finding, type Part } from './report.ts';
import { quickSize } from './sizes.ts';

const finding: Finding = {
  measure: 'lookup',
  unit: 'requests/s',
  product: 12_345,
  baseline: { name: 'bare node:http', figure: 24_000 },
  ratio: 0.514,
  goal: { of: 'ratio', is: 'at least', bound: 0.5 },
};
const quiet = { rounds: 5, repeated: 0, kept: 0, largestShare: 0 };
const part: Part = { name: 'lookup', findings: [finding], notes: [], failure: null, seconds: 61, disturbances: quiet };
const conditions = { size: quickSize, postgres: '18', commit: 'abc', seedSeconds: null, missing: [] };
const report = (parts: Part[], more = {}) => reportOf(parts, { ...conditions, ...more }, new Date('2030-01-02'));

test('a goal is met at its bound, and missed by a figure that is not a number', () => {
  const withRatio = (ratio: number | null) => isMet({ ...finding, ratio });
  expect([0.5, 0.499, Number.NaN, null].map(withRatio)).toEqual([true, false, false, null]);
  const atMost = { of: 'product', is: 'at most', bound: 12_345 } as const;
  expect(isMet({ ...finding, goal: atMost })).toBe(true);
  expect(isMet({ ...finding, goal: null })).toBe(null);
});

test('the report names its conditions, counts the goals, and shows each figure with its baseline', () => {
  const missed: Finding = { ...finding, measure: 'miss', ratio: 0.2 };
  const text = report([{ ...part, findings: [finding, missed] }]);
  expect(text).toContain('on 2030-01-02, commit abc');
  expect(text).toContain('1 of 2 goals are met; search for NO to find the 1 missed.');
  expect(text).toContain('| Measure | Waybill | Baseline | Ratio | Goal | Met |');
  expect(text).toContain(
    '| lookup | 12,345 requests/s | 24,000 requests/s, bare node:http | 0.51 | at least 0.5 | yes |\n| miss |',
  );
  expect(text).toContain('| 0.20 | at least 0.5 | NO |');
  expect(text).toContain(
    seesOthers
      ? 'Took 61 s; no round was disturbed.'
      : 'Took 61 s; this system does not tell whether a round was disturbed.',
  );
});

test.runIf(seesOthers)('the report says which rounds were disturbed', () => {
  const disturbed = { ...part, disturbances: { rounds: 5, repeated: 2, kept: 1, largestShare: 0.234 } };
  expect(report([disturbed])).toContain(
    'of 5 rounds 2 were disturbed and repeated, 1 counted although disturbed, with at most 23 % of the CPU taken by others.',
  );
});

test('a part that failed and parts that have not run stand in the report, beside the figures that were measured', () => {
  const failed = { ...part, name: 'writes', failure: '3 writes failed' };
  const text = report([part, failed, { ...failed, name: 'import', findings: [] }], { missing: ['pages'] });
  expect(text).toContain('FAILED, so without all their figures: writes, import.');
  expect(text).toContain('The run ended early, without: pages.');
  expect(text).toContain('## import\n\nFAILED: 3 writes failed Took 61 s');
  expect(text.match(/12,345/g)).toHaveLength(2);
  expect(asText(failed)).toContain('FAILED: 3 writes failed');
});
