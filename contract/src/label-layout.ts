import type { Address, Handling, Package } from './packages.ts';

/** What a label says. Neither the recipient's contact, nor instructions, nor where the safe place is: everybody on the way can read it. */
export interface LabelContent {
  organisation: string;
  trackingId: string;
  reference: string | null;
  /** The package's name. */
  name: string;
  /** In kg; null where it is not known yet. */
  weight: number | null;
  sender: string | null;
  recipientName: string;
  address: Address | null;
  window: Package['window'];
  eta: string | null;
  handling: Handling;
}

/** The two codes of a label, encoded: `qr` are rows of modules, `bars` are the modules of Code 128 as 1 (black) and 0. */
export interface LabelCodes {
  qr: readonly (readonly boolean[])[];
  bars: string;
}

/** `text` is Geist 500, `strong` Geist 700, `code` Geist Mono 600. */
export type LabelFont = 'text' | 'strong' | 'code';

/** The width of a text in em. */
export type MeasureLabelText = (text: string, font: LabelFont) => number;

/** What to draw, in mm from the top left corner, black unless `white`. */
export type LabelItem =
  /** `y` is the baseline, `size` the font size, `spacing` is added after each character, in em. */
  | {
      kind: 'text';
      text: string;
      x: number;
      y: number;
      size: number;
      font: LabelFont;
      align: 'left' | 'center' | 'right';
      spacing: number;
      white: boolean;
    }
  /** SVG path data in units of `scale` mm: filled, or stroked with a width in the same units. */
  | { kind: 'path'; path: string; x: number; y: number; scale: number; stroke: number | null; white: boolean }
  /** Outlined with a width in mm, or filled. */
  | { kind: 'box'; x: number; y: number; width: number; height: number; radius: number; stroke: number | null }
  | { kind: 'dashes'; x: number; y: number; length: number };

/** In mm. On A4 a label is a quarter of the sheet. */
export const labelSizes = { label: { width: 100, height: 150 }, a4: { width: 105, height: 148.5 } } as const;

const margin = 5;

/** In a grid of 24 x 24, drawn with a stroke of 2. */
const icons = {
  signature: 'M3 20h18M4 15c2.5 0 4-2 5-5s1-6-.8-6S5.5 8 7 12s4 3.5 5.5.5 2.3-.5 2.3.8 1.7 1.2 2.7.2h3',
  age: 'M3 5h18v14H3zM6 16c0-3 6-3 6 0M9 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4M15 10h3M15 14h3',
  pin: 'M4 11h16v10H4zM7.5 11V7.5a4.5 4.5 0 0 1 9 0V11M8 16h0M12 16h0M16 16h0',
  fragile: 'M8 3h8l1 6a5 5 0 0 1-10 0zM7 9h10M12 14v7M8 21h8',
  upright: 'M4 3h16M12 21V8M6.5 13.5 12 8l5.5 5.5',
  cold: 'M12 2v20M3.3 7l17.4 10M20.7 7 3.3 17M9.5 3.5 12 6l2.5-2.5M9.5 20.5 12 18l2.5 2.5M3.2 10.5l3.4-.6-.9-3.4M20.8 13.5l-3.4.6.9 3.4M3.2 13.5l3.4.6-.9 3.4M20.8 10.5l-3.4-.6.9-3.4',
  safePlace: 'M4 11 12 4l8 7M6 9.5V20h12V9.5M9 14.5l2.2 2.2 4-4',
};

/** Inverted tiles are what the driver must do, the others what to know. */
const tilesOf = ({ fragile, keepUpright, refrigerated, signatureRequired, pin, age, safePlace }: Handling) =>
  [
    refrigerated && { icon: icons.cold, word: 'Keep cold', inverted: true },
    age !== null && { icon: icons.age, word: `Check ID ${age}+`, inverted: true },
    pin && { icon: icons.pin, word: 'PIN', inverted: true },
    signatureRequired && { icon: icons.signature, word: 'Signature', inverted: true },
    fragile && { icon: icons.fragile, word: 'Fragile', inverted: false },
    keepUpright && { icon: icons.upright, word: 'This side up', inverted: false },
    safePlace !== null && { icon: icons.safePlace, word: 'Safe place', inverted: false },
  ].filter((tile) => tile !== false);

/**
 * Lays out one label. No text leaves its box: it shrinks first, then ends with an ellipsis.
 * @param zone the time zone of the window's days and times
 */
export function layOutLabel(
  { width, height }: { width: number; height: number },
  label: LabelContent,
  { qr, bars }: LabelCodes,
  measure: MeasureLabelText,
  zone: string,
): LabelItem[] {
  const items: LabelItem[] = [];
  const inner = width - 2 * margin;
  const right = width - margin;
  // Not `text`: the web's build drops calls of that name, which are schemas elsewhere in the contract.
  const write = (
    value: string,
    x: number,
    y: number,
    size: number,
    {
      font = 'text',
      align = 'left',
      spacing = 0,
      white = false,
    }: Partial<Pick<Extract<LabelItem, { kind: 'text' }>, 'font' | 'align' | 'spacing' | 'white'>> = {},
  ) => value !== '' && items.push({ kind: 'text', text: value, x, y, size, font, align, spacing, white });
  const path = (value: string, x: number, y: number, scale: number, stroke: number | null, white = false) =>
    items.push({ kind: 'path', path: value, x, y, scale, stroke, white });
  const oneLine = (
    value: string,
    font: LabelFont,
    available: number,
    size: number,
    min: number,
  ): { line: string; size: number } => {
    const fitted = fitText(measure, value, font, { width: available, size, min, lines: 1 });
    return { line: fitted.lines[0] ?? '', size: fitted.size };
  };

  // Head: the mark, whose notch is the ticket's, the organisation, and when and how heavy.
  items.push({ kind: 'box', x: margin, y: 5.5, width: 6.9, height: 6.9, radius: 1.7, stroke: null });
  path('M32 11.8a4.2 4.2 0 0 0 0 8.4z', margin, 5.5, 6.9 / 32, null, true);
  path('M6.5 10.5l4 11 4.6-9 4.6 9 4-11', margin, 5.5, 6.9 / 32, 3.6, true);
  const organisation = oneLine(label.organisation, 'strong', inner - 9 - 49, 4.1, 2.6);
  write(organisation.line, margin + 9, 10.4, organisation.size, { font: 'strong' });
  const { day, hours } = whenOf(label, zone);
  const weight = label.weight === null ? '' : `${label.weight} kg`;
  for (const [value, baseline] of [
    [day, 8.4],
    [[hours, weight].filter(Boolean).join(' · '), 12.2],
  ] as const) {
    const { line, size } = oneLine(value, 'text', 47, 3, 2);
    write(line, right, baseline, size, { align: 'right' });
  }

  // The town, to sort by from a distance.
  let top = 17;
  if (label.address) {
    const { city, postalCode, country } = label.address;
    items.push({ kind: 'box', x: margin + 0.3, y: 15.4, width: inner - 0.6, height: 26.4, radius: 2.2, stroke: 0.6 });
    const town = oneLine(city.toUpperCase(), 'strong', inner - 8, 15.5, 5);
    write(town.line, margin + 4, 31, town.size, { font: 'strong' });
    const below = oneLine([postalCode, country].filter(Boolean).join(' · '), 'strong', inner - 8, 6, 3);
    write(below.line, margin + 4, 38.8, below.size, { font: 'strong' });
    top = 45;
  }

  const tear = height - 51.5;
  const tiles = tilesOf(label.handling);
  const tilesTop = tear - 17.8;

  write('To', margin, top + 3.2, 2.8);
  const bottom = tiles.length > 0 ? tilesTop - 2 : tear - 4;
  for (const line of recipientLines(measure, label, inner, bottom - top - 4.5))
    write(line.text, margin, top + 4.5 + line.baseline, line.size, { font: line.font });

  const gap = 2.1;
  const tileWidth = tiles.length > 0 ? (inner - gap * (Math.max(tiles.length, 3) - 1)) / Math.max(tiles.length, 3) : 0;
  for (const [index, { icon, word, inverted }] of tiles.entries()) {
    const x = margin + index * (tileWidth + gap);
    const inset = inverted ? 0 : 0.15;
    items.push({
      kind: 'box',
      x: x + inset,
      y: tilesTop + inset,
      width: tileWidth - 2 * inset,
      height: 14.3 - 2 * inset,
      radius: 1.8,
      stroke: inverted ? null : 0.3,
    });
    path(icon, x + tileWidth / 2 - 3.1, tilesTop + 1.8, 6.2 / 24, 2, inverted);
    const { line, size } = oneLine(word, 'strong', tileWidth - 2, 3, 1.8);
    write(line, x + tileWidth / 2, tilesTop + 12.1, size, { font: 'strong', align: 'center', white: inverted });
  }

  // The stub below the tear line identifies the package by itself.
  items.push({ kind: 'dashes', x: 2.6, y: tear, length: width - 5.2 });
  path('M0-2.6a2.6 2.6 0 0 1 0 5.2', 0, tear, 1, 0.25);
  path('M0-2.6a2.6 2.6 0 0 0 0 5.2', width, tear, 1, 0.25);
  path(pathOfModules(qr), margin, tear + 3.3, 24 / qr.length, null);
  const facts: [string, string | null, number][] = [
    ['From', label.sender, 2],
    ['Ref.', label.reference, 1],
    ['Item', label.name, 2],
  ];
  let y = tear + 3.3;
  for (const [name, value, lines] of facts) {
    if (!value) continue;
    const fitted = fitText(measure, value, 'text', { width: right - 43, size: 3.3, min: 2.6, lines });
    write(name, 33, y + 3, 2.8);
    for (const line of fitted.lines) write(line, 43, (y += 4) - 1, fitted.size);
  }
  write('Scan to see when it arrives', 33, tear + 26.6, 2.9);

  // Modules of 0.5 mm, which are four dots of a label printer, with a quiet zone of 8 mm: legible for scanners even from a poor printer.
  const barsTop = tear + 30.2;
  const module = 0.5;
  path(pathOfBars(bars, 12 / module), (width - bars.length * module) / 2, barsTop, module, null);
  write(label.trackingId, width / 2, barsTop + 17.2, 4.7, { font: 'code', align: 'center', spacing: 0.16 });
  return items;
}

interface RecipientLine {
  text: string;
  size: number;
  font: LabelFont;
  baseline: number;
}

/** Name and address, shrunk together until they fit. */
function recipientLines(
  measure: MeasureLabelText,
  { recipientName, address }: Pick<LabelContent, 'recipientName' | 'address'>,
  width: number,
  height: number,
): RecipientLine[] {
  const town = address && [address.postalCode, address.city].filter(Boolean).join(' ');
  const parts: { value: string | null; font: LabelFont; size: number; lines: number }[] = [
    { value: recipientName, font: 'strong', size: 6.7, lines: 2 },
    { value: address?.street ?? null, font: 'text', size: 5.8, lines: 2 },
    { value: town, font: 'text', size: 5.8, lines: 2 },
    { value: address?.country ?? null, font: 'text', size: 4.4, lines: 1 },
  ];
  for (let scale = 1; ; scale *= 0.93) {
    const lines: RecipientLine[] = [];
    let y = 0;
    for (const { value, font, size, lines: max } of parts) {
      if (!value) continue;
      const fitted = fitText(measure, value, font, { width, size: size * scale, min: size * scale * 0.75, lines: max });
      for (const line of fitted.lines) {
        y += fitted.size * 1.18;
        lines.push({ text: line, size: fitted.size, font, baseline: y - fitted.size * 0.2 });
      }
    }
    if (y <= height || scale < 0.3) return lines;
  }
}

const dayFormat = (zone: string, year: boolean) =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(year && { year: 'numeric' }),
    timeZone: zone,
  });

/** The window, else the estimated day. */
function whenOf({ window, eta }: Pick<LabelContent, 'window' | 'eta'>, zone: string): { day: string; hours: string } {
  if (!window)
    return { day: eta ? `Due ${dayFormat('UTC', true).format(new Date(`${eta}T00:00:00Z`))}` : '', hours: '' };
  const [from, to] = [new Date(window.from), new Date(window.to)];
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone });
  const day = dayFormat(zone, true);
  if (day.format(from) === day.format(to))
    return { day: day.format(from), hours: `${time.format(from)} – ${time.format(to)}` };
  const short = dayFormat(zone, false);
  return { day: `${short.format(from)}, ${time.format(from)}`, hours: `until ${short.format(to)}, ${time.format(to)}` };
}

/** Runs of dark modules as one path. */
function pathOfModules(rows: LabelCodes['qr']): string {
  let path = '';
  for (const [y, row] of rows.entries())
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x++;
      path += `M${start} ${y}h${x + 1 - start}v1h${start - x - 1}z`;
    }
  return path;
}

function pathOfBars(bars: string, height: number): string {
  const tall = height.toFixed(3);
  return [...bars.matchAll(/1+/g)]
    .map(({ index, 0: { length } }) => `M${index} 0h${length}v${tall}h${-length}z`)
    .join('');
}

/**
 * Wraps a text into at most `lines` lines of this width, at the largest size from `size` down to `min` (mm) at which it fits. What does not
 * fit at `min` ends with an ellipsis.
 */
export function fitText(
  measure: MeasureLabelText,
  text: string,
  font: LabelFont,
  { width, size, min, lines }: { width: number; size: number; min: number; lines: number },
): { lines: string[]; size: number } {
  const words = text.normalize('NFC').trim().split(/\s+/u);
  const widths = words.map((word) => measure(word, font));
  const space = measure(' ', font);
  for (let tried = size; tried >= min; tried *= 0.96) {
    const wrapped = wrap(words, widths, space, width / tried);
    if (wrapped && wrapped.length <= lines) return { lines: wrapped, size: tried };
  }
  const limit = width / min;
  const pieces = words.flatMap((word, index) =>
    (widths[index] ?? 0) > limit ? breakWord(measure, word, font, limit) : [word],
  );
  const wrapped =
    wrap(
      pieces,
      pieces.map((piece) => measure(piece, font)),
      space,
      limit,
    ) ?? pieces;
  if (wrapped.length <= lines) return { lines: wrapped, size: min };
  return {
    lines: [...wrapped.slice(0, lines - 1), shorten(measure, wrapped.slice(lines - 1).join(' '), font, limit)],
    size: min,
  };
}

/** Lines of whole words; null if a word is wider than the limit, in em. */
function wrap(words: string[], widths: number[], space: number, limit: number): string[] | null {
  const lines: string[] = [];
  let used = Infinity;
  for (const [index, word] of words.entries()) {
    const width = widths[index] ?? 0;
    if (width > limit) return null;
    if (used + space + width <= limit) {
      lines.push(`${lines.pop() ?? ''} ${word}`);
      used += space + width;
    } else {
      lines.push(word);
      used = width;
    }
  }
  return lines;
}

let segmenter: Intl.Segmenter | null = null;

/** The characters of a text as readers see them. */
export const graphemesOf = (text: string): string[] =>
  // oxlint-disable-next-line no-control-regex
  /^[\u0000-\u007f]*$/.test(text)
    ? text.split('')
    : [...(segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })).segment(text)].map(
        ({ segment }) => segment,
      );

function breakWord(measure: MeasureLabelText, word: string, font: LabelFont, limit: number): string[] {
  const pieces: string[] = [];
  let used = Infinity;
  for (const grapheme of graphemesOf(word)) {
    const width = measure(grapheme, font);
    if (used + width <= limit) {
      pieces.push((pieces.pop() ?? '') + grapheme);
      used += width;
    } else {
      pieces.push(grapheme);
      used = width;
    }
  }
  return pieces;
}

function shorten(measure: MeasureLabelText, text: string, font: LabelFont, limit: number): string {
  const graphemes = graphemesOf(text);
  let [kept, used] = [0, measure('…', font)];
  for (const grapheme of graphemes) {
    used += measure(grapheme, font);
    if (used > limit) break;
    kept++;
  }
  return `${graphemes.slice(0, kept).join('').trimEnd()}…`;
}
