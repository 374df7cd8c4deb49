import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const cut = join(import.meta.dirname, '../node_modules/.cache/cut-fonts');

/** The weights of the design; the faces say what the whole fonts do, or the browser would not let these complete them. */
const weights = { min: 400, max: 600 };

/**
 * Cuts the fonts of `styles.css` down to what nearly every page needs: `url('….woff2?cut')` has the letters of its `unicode-range`, in
 * the weights of the design, and nothing else. Half of the text font is letters and weights that no page of ours uses. The whole
 * fonts that are imported there have all other letters, and none of these: a browser that waits for the cut font would ask for both.
 */
export function subsetFonts(): Plugin {
  return {
    name: 'cut-fonts',
    enforce: 'pre',
    transform: {
      filter: { id: /src\/styles\.css$/ },
      async handler(code) {
        const faces = [...code.matchAll(/@font-face \{[^}]*url\('([^']+)\?cut'\)[^}]*\}/g)];
        const files = await Promise.all(faces.map(([face, source = '']) => subsetFace(source, face)));
        const wholes = [...code.matchAll(/@import '(@fontsource-variable\/[\w-]+)';/g)];
        const others = await Promise.all(
          wholes.map(([, font = '']) =>
            readWhole(
              font,
              faces.map(([face]) => face),
            ),
          ),
        );
        const withCut = faces.reduce((css, [, source], at) => css.replace(`${source}?cut`, files[at] ?? ''), code);
        return wholes.reduce((css, [line], at) => css.replace(line, others[at] ?? ''), withCut);
      },
    },
  };
}

const familyOf = (face: string) => /font-family: '([^']+)'/.exec(face)?.[1];

/** The faces of a whole font, without the letters that are cut out of it. */
async function readWhole(font: string, cutFaces: string[]): Promise<string> {
  const css = await readFile(fileURLToPath(import.meta.resolve(`${font}/index.css`)), 'utf8');
  const here = css.replaceAll('url(./', `url(${font}/`);
  return here.replaceAll(/@font-face \{[^}]*\}/g, (face) => {
    const cutFace = cutFaces.find((one) => familyOf(one) === familyOf(face));
    if (!cutFace) return face;
    const taken = rangesOf(cutFace);
    const left = taken.reduce((ranges, range) => ranges.flatMap((one) => without(one, range)), rangesOf(face));
    return face.replace(/unicode-range: [^;]*/, `unicode-range: ${left.map(asRange).join(', ')}`);
  });
}

type Range = [first: number, last: number];

const without = ([first, last]: Range, [from, to]: Range): Range[] =>
  (
    [
      [first, Math.min(last, from - 1)],
      [Math.max(first, to + 1), last],
    ] as Range[]
  ).filter(([one, other]) => one <= other);

const asRange = ([first, last]: Range): string => `U+${first.toString(16)}-${last.toString(16)}`;

/** @returns the path of the cut font, which is kept from one build to the next */
async function subsetFace(source: string, face: string): Promise<string> {
  const original = await readFile(fileURLToPath(import.meta.resolve(source)));
  const version = createHash('sha256')
    .update(original)
    .update(JSON.stringify(weights))
    .update(lettersOf(face))
    .digest('hex')
    .slice(0, 8);
  const file = join(cut, `cut-${basename(source, '.woff2')}-${version}.woff2`);
  if (existsSync(file)) return file;
  const font = await subsetFont(original, lettersOf(face), {
    targetFormat: 'woff2',
    variationAxes: { wght: weights },
  });
  await mkdir(cut, { recursive: true });
  // Written beside and then renamed: a build cut short leaves no half font.
  await writeFile(`${file}-${process.pid}`, font);
  await rename(`${file}-${process.pid}`, file);
  return file;
}

const rangesOf = (face: string): Range[] =>
  [...face.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/gi)].map(([, first = '', last = first]) => [
    Number.parseInt(first, 16),
    Number.parseInt(last, 16),
  ]);

const lettersOf = (face: string): string =>
  rangesOf(face)
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)))
    .join('');
