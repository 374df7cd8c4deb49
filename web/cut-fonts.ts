import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const cut = join(import.meta.dirname, '../node_modules/.cache/cut-fonts');

/**
 * Cuts the fonts of `styles.css` down to what their faces say: `url('….woff2?cut')` has the letters of its `unicode-range`, in the
 * weights of its `font-weight`, and nothing else. Half of the text font is letters and weights that no page of ours uses.
 */
export function cutFonts(): Plugin {
  return {
    name: 'cut-fonts',
    enforce: 'pre',
    transform: {
      filter: { id: /src\/styles\.css$/ },
      async handler(code) {
        const faces = [...code.matchAll(/@font-face \{[^}]*url\('([^']+)\?cut'\)[^}]*\}/g)];
        const files = await Promise.all(faces.map(([face, source = '']) => cutFont(source, face)));
        return faces.reduce((css, [, source], at) => css.replace(`${source}?cut`, files[at] ?? ''), code);
      },
    },
  };
}

/** @returns the path of the cut font, which is kept from one build to the next */
async function cutFont(source: string, face: string): Promise<string> {
  const original = await readFile(fileURLToPath(import.meta.resolve(source)));
  const version = createHash('sha256').update(original).update(face).digest('hex').slice(0, 8);
  const file = join(cut, `cut-${basename(source, '.woff2')}-${version}.woff2`);
  if (existsSync(file)) return file;
  const [min = 0, max = 0] = /font-weight: (\d+) (\d+)/.exec(face)?.slice(1).map(Number) ?? [];
  const font = await subsetFont(original, lettersOf(face), {
    targetFormat: 'woff2',
    variationAxes: { wght: { min, max } },
  });
  await mkdir(cut, { recursive: true });
  // Written beside and then renamed: a build cut short leaves no half font.
  await writeFile(`${file}-${process.pid}`, font);
  await rename(`${file}-${process.pid}`, file);
  return file;
}

function lettersOf(face: string): string {
  const ranges = [...face.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)];
  return ranges
    .flatMap(([, first = '', last = first]) => {
      const [from, to] = [Number.parseInt(first, 16), Number.parseInt(last, 16)];
      return Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at));
    })
    .join('');
}
