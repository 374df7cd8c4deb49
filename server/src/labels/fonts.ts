import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { graphemesOf, type LabelFont } from '@waybill/contract';
import { create, type Font } from 'fontkit';

/** One file of a font: they are cut by script. Geist has no Greek, for which Manrope is the nearest. */
export interface FontFile {
  name: string;
  bytes: Buffer;
  font: Font;
}

const scripts = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese'];
const withGreek = (weight: number) => [
  ...scripts.map((script) => `@fontsource/geist/files/geist-${script}-${weight}-normal.woff`),
  `@fontsource/manrope/files/manrope-greek-${weight}-normal.woff`,
];
const paths: Record<LabelFont, string[]> = {
  text: withGreek(500),
  strong: withGreek(700),
  code: ['@fontsource/geist-mono/files/geist-mono-latin-600-normal.woff'],
};

const { resolve } = createRequire(import.meta.url);
const opened = new Map<string, FontFile>();

function openFont(path: string): FontFile {
  let file = opened.get(path);
  if (!file) {
    const bytes = readFileSync(resolve(path));
    opened.set(path, (file = { name: path, bytes, font: create(bytes) as Font }));
  }
  return file;
}

/** Invisible characters that only tell how to draw their neighbours; no font has a glyph for them. */
const invisible = /\p{Variation_Selector}|[\u200c-\u200f]/gu;

/** Drawn for what no font has; also the glyph that fonts show for it. */
const missing = '\u0000';

/** A part of a text, and the file of the font that has its characters. */
export interface TextRun {
  text: string;
  file: FontFile;
}

/** Splits a text by the files that have its characters. A character that none has becomes an empty box. */
export function runsOf(text: string, font: LabelFont): TextRun[] {
  const runs: TextRun[] = [];
  for (const grapheme of graphemesOf(text.normalize('NFC').replace(invisible, ''))) {
    const codePoints = Array.from(grapheme, (character) => character.codePointAt(0) ?? 0);
    const path = paths[font].find((path) => codePoints.every((code) => openFont(path).font.hasGlyphForCodePoint(code)));
    const file = openFont(path ?? paths[font][0] ?? '');
    const drawn = path ? grapheme : missing;
    const last = runs.at(-1);
    if (last?.file === file) last.text += drawn;
    else runs.push({ text: drawn, file });
  }
  return runs;
}

/** Widths by font and text: labels repeat their words. */
const widths = new Map<string, number>();
const maxWidths = 10_000;

/** The width of a text in em. */
export function widthOf(text: string, font: LabelFont): number {
  const key = `${font} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    width = 0;
    for (const run of runsOf(text, font))
      width += run.file.font.layout(run.text).advanceWidth / run.file.font.unitsPerEm;
    if (widths.size >= maxWidths) widths.clear();
    widths.set(key, width);
  }
  return width;
}
