import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { texts } from '../contract/src/texts/en.ts';

const root = join(import.meta.dirname, '..');

test('every promise of the landing page names the tests that show it', () => {
  const page = readFileSync(join(root, 'docs/public-pages.md'), 'utf8');
  const rows = new Map(
    [...page.matchAll(/^\| (\w+) \| (“.+”) \|$/gm)].map(([, promise = '', tests = '']) => [
      promise,
      [...tests.matchAll(/“(.+?)”/g)].map(([, name = '']) => name),
    ]),
  );
  expect([...rows.keys()]).toEqual(Object.keys(texts.landing.features));
  const files = globSync('{server/src,e2e}/**/*.{test,e2e}.ts', { cwd: root });
  const sources = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  expect([...rows.values()].flat().filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
});
