import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An apostrophe between letters is part of the word, not a quote. */
const quote = /(?<!\w)'((?:[^']|(?<=\w)'(?=\w))+)'(?!\w)/g;

/** Distinct texts quoted in the specification, except in its last section, on the product itself. @throws at an unbalanced quote */
export function quotedTexts(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/specification.md'), 'utf8');
  const [specification = ''] = page.split('\n## What Waybill does instead\n');
  const rest = specification.replace(quote, '').match(/.{0,30}((?<!\w)'|'(?!\w)).{0,30}/);
  if (rest) throw new Error(`a quote without an end: ${rest[0]}`);
  return [...new Set([...specification.matchAll(quote)].map((found) => found[1] ?? ''))];
}

/** Formats, and texts whose number is not written `{n}`. */
const special: Record<string, RegExp> = {
  'n/3 images': /^\d\/3 images$/,
  'PKG-': /^PKG-[A-Z0-9]{8}$/,
  'MMM yyyy': /^Member since [A-Z][a-z]{2} \d{4}$/,
  'MMM d, yyyy HH:mm': /^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{2}:\d{2}$/,
};

/** Pattern of a text on a screen: `{name}` and a final `...` after a colon match anything. */
export function patternOf(text: string, where: 'whole' | 'at the end'): RegExp {
  if (special[text]) return special[text];
  const source = text
    .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replace(/\{\w+\}/g, '.+')
    .replace(/: \\\.\\\.\\\.$/, ': .+');
  return new RegExp(`${where === 'whole' ? '^' : ' '}${source}$`);
}
