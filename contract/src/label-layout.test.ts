import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fitText,
  labelSizes,
  layOutLabel,
  type LabelContent,
  type LabelItem,
  type MeasureLabelText,
} from './label-layout.ts';

/** Wide characters, so that it is not the width of a font that makes a text fit. */
const measure: MeasureLabelText = (text, font) => text.length * (font === 'strong' ? 0.7 : 0.6);
const codes = { qr: Array.from({ length: 33 }, () => Array.from({ length: 33 }, () => true)), bars: '10'.repeat(83) };

const label = (content: Partial<LabelContent> = {}): LabelContent => ({
  organisation: 'Waybill',
  trackingId: 'PKG-7RTTSKYM',
  reference: 'LK-2041',
  name: 'Espresso machine',
  weight: 6.4,
  sender: 'Lindqvist',
  recipientName: 'Jonas Weber',
  address: { street: 'Chestnut Avenue 22', postalCode: '40112', city: 'Riverton', country: null },
  window: null,
  eta: '2026-11-24',
  handling: {
    fragile: true,
    keepUpright: true,
    refrigerated: false,
    signatureRequired: true,
    pin: false,
    age: null,
    safePlace: null,
  },
  ...content,
});

type Text = Extract<LabelItem, { kind: 'text' }>;
const textsOf = (content: LabelContent, size: keyof typeof labelSizes = 'label', zone = 'UTC') =>
  layOutLabel(labelSizes[size], content, codes, measure, zone).filter((item): item is Text => item.kind === 'text');

const areaOf = ({ text, x, y, size, font, align, spacing }: Text) => {
  const width = (measure(text, font) + spacing * (text.length - 1)) * size;
  const left = align === 'left' ? x : align === 'right' ? x - width : x - width / 2;
  // Of Latin letters: from the top of an accented capital to a descender, in mm.
  return { text, left, right: left + width, top: y - size * 0.72, bottom: y + size * 0.2 };
};

test('a label says who it is for, where to, from whom, how to handle it and when', () => {
  const said = textsOf(label()).map(({ text }) => text);
  expect(said).toEqual(
    expect.arrayContaining(['Waybill', 'RIVERTON', 'Jonas Weber', 'Chestnut Avenue 22', '40112 Riverton', 'Lindqvist']),
  );
  expect(said).toEqual(expect.arrayContaining(['LK-2041', 'PKG-7RTTSKYM', 'Signature', 'Fragile', 'This side up']));
  expect(said).toEqual(expect.arrayContaining(['Due Tue, 24 Nov 2026', '6.4 kg']));
  expect(said).not.toContain('Keep cold');
});

test('a window is in the zone of the organisation, also over midnight', () => {
  const when = (from: string, to: string) =>
    textsOf(label({ window: { from, to } }), 'label', 'Europe/Berlin')
      .map(({ text }) => text)
      .slice(1, 3);
  expect(when('2026-11-24T09:00:00.000Z', '2026-11-24T11:00:00.000Z')).toEqual([
    'Tue, 24 Nov 2026',
    '10:00 – 12:00 · 6.4 kg',
  ]);
  expect(when('2026-11-24T21:00:00.000Z', '2026-11-25T05:00:00.000Z')).toEqual([
    'Tue 24 Nov, 22:00',
    'until Wed 25 Nov, 06:00 · 6.4 kg',
  ]);
});

test('a label does not say where the safe place is: everybody on the way can read it', () => {
  const said = textsOf(label({ handling: { ...label().handling, safePlace: 'Key under the green pot' } }));
  expect(said.map(({ text }) => text).join()).not.toContain('pot');
  expect(said.map(({ text }) => text)).toContain('Safe place');
});

const words = (maxLength: number) =>
  fc.oneof(
    fc.string({ minLength: 1, maxLength }),
    fc.array(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 12 }).map((all) => all.join(' ')),
    fc.constant('W'.repeat(maxLength)),
  );
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null });

test('texts of any length stay on the label and do not overlap', () => {
  const contents = fc.record({
    organisation: words(120),
    trackingId: fc.constant('PKG-7RTTSKYM'),
    reference: orNull(words(64)),
    name: words(120),
    weight: fc.constantFrom(0.1, 49.999),
    sender: orNull(words(120)),
    recipientName: words(120),
    address: orNull(
      fc.record({ street: words(200), postalCode: orNull(words(20)), city: words(120), country: orNull(words(80)) }),
    ),
    window: orNull(fc.constant({ from: '2026-11-24T21:00:00.000Z', to: '2026-11-25T05:00:00.000Z' })),
    eta: orNull(fc.constant('2026-11-24')),
    handling: fc.record({
      fragile: fc.boolean(),
      keepUpright: fc.boolean(),
      refrigerated: fc.boolean(),
      signatureRequired: fc.boolean(),
      pin: fc.boolean(),
      age: fc.constantFrom(18 as const, null),
      safePlace: orNull(words(200)),
    }),
  });
  fc.assert(
    fc.property(contents, fc.constantFrom('label', 'a4'), (content, size) => {
      const areas = textsOf(content, size).map(areaOf);
      const { width, height } = labelSizes[size];
      for (const area of areas) {
        expect(area.left, area.text).toBeGreaterThanOrEqual(4.9);
        expect(area.right, area.text).toBeLessThanOrEqual(width - 4.9);
        expect(area.top, area.text).toBeGreaterThanOrEqual(0);
        expect(area.bottom, area.text).toBeLessThanOrEqual(height);
      }
      for (const [index, one] of areas.entries())
        for (const other of areas.slice(index + 1)) {
          const apart =
            one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
          expect(apart, `${one.text} | ${other.text}`).toBe(true);
        }
    }),
    { numRuns: 300 },
  );
});

test('a text shrinks before it wraps no further, and ends with an ellipsis only at the smallest size', () => {
  const box = { width: 60, size: 10, min: 5, lines: 1 };
  expect(fitText(measure, 'Short', 'text', box)).toEqual({ lines: ['Short'], size: 10 });
  const shrunk = fitText(measure, 'Longer words', 'text', box);
  expect([shrunk.lines, shrunk.size < 10]).toEqual([['Longer words'], true]);
  expect(fitText(measure, 'x'.repeat(40), 'text', box)).toEqual({ lines: [`${'x'.repeat(19)}…`], size: 5 });
  expect(fitText(measure, '👩‍👩‍👧'.repeat(9), 'text', { ...box, width: 28 }).lines).toEqual(['👩‍👩‍👧…']);
});
