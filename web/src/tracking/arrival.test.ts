import { expect, test } from 'vitest';
import { arrivalSentence } from './arrival.ts';

const now = new Date('2026-11-21T12:00:00');
const at = (text: string) => new Date(text).toISOString();
const view = { status: 'in transit', eta: '2026-11-24', completedAt: null, lastUpdate: at('2026-11-20T08:00:00') };

test.each([
  [{}, 'Arriving Tuesday 24 November'],
  [{ eta: '2026-11-21' }, 'Arriving today'],
  [{ eta: '2026-11-22' }, 'Arriving tomorrow'],
  [{ eta: '2026-11-18' }, 'Was expected Wednesday 18 November'],
  [{ eta: null }, 'On its way to you'],
  [{ status: 'processing', eta: null }, 'Getting ready to ship'],
  [{ status: 'delivered', completedAt: at('2026-11-21T09:00:00') }, 'Delivered today'],
  [{ status: 'delivered' }, 'Delivered yesterday'],
  [{ status: 'cancelled' }, 'This delivery was cancelled'],
])('%o reads: %s', (change, sentence) => {
  expect(arrivalSentence({ ...view, ...change }, now)).toBe(sentence);
});

test('where the viewer is not known no day is called today', () => {
  const eta = `${new Date().getFullYear()}-12-31`;
  expect(arrivalSentence({ ...view, eta }, null)).toMatch(/^Arriving \w+day 31 December$/);
  expect(arrivalSentence({ ...view, eta: '2051-11-21' }, null)).toBe('Arriving Tuesday 21 November 2051');
  expect(arrivalSentence({ ...view, status: 'delivered' }, null)).toBe('Delivered');
  expect(arrivalSentence({ ...view, eta: '2001-11-21' }, null)).toBe('Was expected Wednesday 21 November 2001');
});
