import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const cacheDir = join(import.meta.dirname, '../node_modules/.cache/cut-fonts');

/**
 * The font weights of the design. The @font-face rules still declare the range of the full fonts: faces only complete each
 * other if their descriptors are equal.
 */
const weights = { min: 400, max: 600 };

/**
 * Subsets the fonts of `styles.css`: `url('….woff2?cut')` becomes a file with only the characters of its `unicode-range` and the weights
 * of the design. Half of the text font is characters and weights that no page uses. The full fonts imported there keep all other
 * characters, and lose those of the subset, or a browser waiting for the subset would download both.
 */
export function subsetFonts(): Plugin {
  return {
    name: 'subset-fonts',
    enforce: 'pre',
    transform: {
      filter: { id: /src\/styles\.css$/ },
      async handler(code) {
        const faces = [...code.matchAll(/@font-face \{[^}]*url\('([^']+)\?cut'\)[^}]*\}/g)];
        const files = await Promise.all(faces.map(([face, source = '']) => subsetFace(source, face)));
        const fullFonts = [...code.matchAll(/@import '(@fontsource-variable\/[\w-]+)';/g)];
        const others = await Promise.all(
          fullFonts.map(([, font = '']) =>
            fullFontFaces(
              font,
              faces.map(([face]) => face),
            ),
          ),
        );
        const withSubsets = faces.reduce((css, [, source], at) => css.replace(`${source}?cut`, files[at] ?? ''), code);
        return fullFonts.reduce((css, [line], at) => css.replace(line, others[at] ?? ''), withSubsets);
      },
    },
  };
}

const familyOf = (face: string) => /font-family: '([^']+)'/.exec(face)?.[1];

/** The @font-face rules of a full font, without the characters of its subset. */
async function fullFontFaces(font: string, subsetFaces: string[]): Promise<string> {
  const css = await readFile(fileURLToPath(import.meta.resolve(`${font}/index.css`)), 'utf8');
  const resolved = css.replaceAll('url(./', `url(${font}/`);
  return resolved.replaceAll(/@font-face \{[^}]*\}/g, (face) => {
    const subset = subsetFaces.find((candidate) => familyOf(candidate) === familyOf(face));
    if (!subset) return face;
    const remaining = rangesOf(subset).reduce(
      (ranges, range) => ranges.flatMap((one) => without(one, range)),
      rangesOf(face),
    );
    return face.replace(/unicode-range: [^;]*/, `unicode-range: ${remaining.map(asRange).join(', ')}`);
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

/** Builds the subset font of a face. @returns its path; cached between builds by content hash */
async function subsetFace(source: string, face: string): Promise<string> {
  const original = await readFile(fileURLToPath(import.meta.resolve(source)));
  const version = createHash('sha256')
    .update(original)
    .update(JSON.stringify(weights))
    .update(charactersOf(face))
    .digest('hex')
    .slice(0, 8);
  const file = join(cacheDir, `cut-${basename(source, '.woff2')}-${version}.woff2`);
  if (existsSync(file)) return file;
  const font = await subsetFont(original, charactersOf(face), {
    targetFormat: 'woff2',
    variationAxes: { wght: weights },
  });
  await mkdir(cacheDir, { recursive: true });
  // Write to a temporary file and rename: an interrupted build must not leave a truncated font in the cache.
  await writeFile(`${file}-${process.pid}`, font);
  await rename(`${file}-${process.pid}`, file);
  return file;
}

const rangesOf = (face: string): Range[] =>
  [...face.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/gi)].map(([, first = '', last = first]) => [
    Number.parseInt(first, 16),
    Number.parseInt(last, 16),
  ]);

const charactersOf = (face: string): string =>
  rangesOf(face)
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)))
    .join('');
