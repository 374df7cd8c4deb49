import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const components = join(import.meta.dirname, '../src/ui');
const namesIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.tsx'));
const importedBy = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/(?:from |import\()'(?:\.\/|\.\.\/src\/ui\/)(\w+\.tsx)'/g)].map(
    ([, name = '']) => name,
  );

test('the gallery shows every component of src/ui, by itself or inside another one', () => {
  const shown = new Set(namesIn(import.meta.dirname).flatMap((name) => importedBy(join(import.meta.dirname, name))));
  const all = namesIn(components);
  // A set grows while it is iterated: what a shown component uses is shown too.
  for (const name of shown)
    if (all.includes(name)) for (const used of importedBy(join(components, name))) shown.add(used);
  expect(all.filter((name) => !shown.has(name))).toEqual([]);
});
