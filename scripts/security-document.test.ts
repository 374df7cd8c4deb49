import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/security.md');

/** The requirements of levels 1 and 2 of ASVS 5.0.0: each section followed by the levels of its requirements in order, a digit each. */
const asvs = `1.1 22, 1.2 111112222, 1.3 11222222222, 1.4 222, 1.5 12, 2.1 122, 2.2 112, 2.3 1222, 2.4 2, 3.2 11, 3.3 1222, 3.4 112222,
  3.5 11122, 3.7 22, 4.1 122, 4.2 2, 4.3 22, 4.4 1222, 5.1 2, 5.2 112, 5.3 11, 5.4 222, 6.1 122, 6.2 111111112222, 6.3 1122, 6.4 1122,
  6.5 22222, 6.6 222, 6.8 2222, 7.1 222, 7.2 1111, 7.3 22, 7.4 11222, 7.5 22, 7.6 22, 8.1 12, 8.2 112, 8.3 1, 8.4 2, 9.1 111, 9.2 1222,
  10.1 22, 10.2 22, 10.3 2222, 10.4 11111222222, 10.5 22222, 10.6 22, 10.7 222, 11.1 22, 11.2 222, 11.3 112, 11.4 1222, 11.5 2, 11.6 2,
  12.1 122, 12.2 11, 12.3 2222, 13.1 2, 13.2 22222, 13.3 22, 13.4 12222, 14.1 22, 14.2 1222, 14.3 122, 15.1 122, 15.2 122,
  15.3 1222222, 16.1 2, 16.2 22222, 16.3 2222, 16.4 222, 16.5 222, 17.1 2, 17.2 2222, 17.3 22`;
const required = asvs.split(/,\s+/).flatMap((section) => {
  const [name, levels = ''] = section.split(' ');
  return Array.from(levels, (level, index) => `V${name}.${index + 1} ${level}`);
});

const states = ['met', 'partly', 'open', 'n/a'];
const rows = [...page.matchAll(/^\| (V[\d.]+) \| ([12]) \| (.+?) \| (.+?) \| (.+) \|$/gm)].map(
  ([, id = '', level = '', requirement = '', state = '', evidence = '']) => ({
    id,
    level,
    requirement,
    state,
    evidence,
  }),
);

test('every requirement of ASVS 5.0.0, levels 1 and 2, has a row with its level, a state and evidence', () => {
  expect(required).toHaveLength(253);
  expect(rows.map(({ id, level }) => `${id} ${level}`)).toEqual(required);
  for (const { id, requirement, state, evidence } of rows) {
    expect(states, id).toContain(state);
    expect(requirement.split(' ').length, id).toBeLessThanOrEqual(12);
    expect(state === 'met' && !/“|by reading: /.test(evidence) ? id : null).toBeNull();
  }
});

test('the totals match the rows', () => {
  const sums = (levels: string) => {
    const counted = rows.filter(({ level }) => levels.includes(level));
    return [...states.map((state) => counted.filter((row) => row.state === state).length), counted.length];
  };
  for (const [name, levels] of [
    ['1', '1'],
    ['2', '2'],
    ['Both', '12'],
  ] as const)
    expect(page).toContain(`\n| ${name} | ${sums(levels).join(' | ')} |\n`);
});

test('there are twenty defences, each with its file and its evidence', () => {
  const defences = [...page.matchAll(/^\| (\d+) \| [^|]+ \| `[^|]+` \| [^|]+ \|$/gm)].map(([, number]) =>
    Number(number),
  );
  expect(defences).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

test('every file that the document names exists', () => {
  const named = [...page.matchAll(/`([\w./-]+\/[\w./-]+|[\w.-]+\.(?:md|json))`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(300);
  const missing = new Set(named.filter((path) => !existsSync(join(root, path))));
  expect([...missing]).toEqual([]);
});

test('every quoted test exists in its file, word for word', () => {
  const quoted = [...page.matchAll(/`([\w./-]+\.(?:test|e2e|storm)\.ts)`((?:,? “[^”]+”)+)/g)].flatMap(
    ([, path = '', names = '']) => [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => ({ path, name })),
  );
  expect(quoted.length).toBeGreaterThan(250);
  const texts = new Map([...new Set(quoted.map(({ path }) => path))].map((path) => [path, read(path)]));
  const exists = ({ path, name }: (typeof quoted)[number]) =>
    ["'", '"', '`'].some((mark) => texts.get(path)?.includes(mark + name + mark));
  expect(quoted.filter((test) => !exists(test))).toEqual([]);
  // No test is quoted without its file; the two others are in the introduction.
  expect(page.match(/“/g)?.length).toBe(quoted.length + 2);
});
