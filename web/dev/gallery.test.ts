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

/** Props that change nothing that is seen, or only where a component stands in another one. */
const unseen = new Set([
  'Banner live',
  'LoadMore isFoot',
  'Menu align',
  'MenuItem target',
  'RelativeTime align',
  'RelativeTime inControl',
]);

test('the gallery shows every choice that a component of src/ui offers: each word of its props, and each switch', () => {
  const gallery = namesIn(import.meta.dirname)
    .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
    .join('\n');
  const missing = namesIn(components).flatMap((name) => {
    const source = readFileSync(join(components, name), 'utf8');
    const component = name.replace('.tsx', '');
    return [...source.matchAll(/^ {2}(\w+)\??: (boolean|'[\w -]+'(?: \| '[\w -]+')*);/gm)].flatMap(
      ([, prop = '', type = '']) => {
        // What a table does by itself is not chosen.
        if (unseen.has(`${component} ${prop}`) || component === 'RowKeys') return [];
        if (type === 'boolean') return new RegExp(`\\b${prop}\\b`).test(gallery) ? [] : [`${component} ${prop}`];
        const words = [...type.matchAll(/'([^']+)'/g)].map(([, word = '']) => word);
        // The default is shown wherever the prop is left out.
        return words
          .filter((word) => !gallery.includes(`'${word}'`) && !gallery.includes(`"${word}"`))
          .filter((word) => !source.includes(`${prop} = '${word}'`))
          .map((word) => `${component} ${prop} ${word}`);
      },
    );
  });
  expect(missing).toEqual([]);
});
