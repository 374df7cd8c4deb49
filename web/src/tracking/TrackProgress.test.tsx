import { renderToStaticMarkup } from 'react-dom/server';
import type { PublicView } from '@waybill/contract';
import { texts as english } from '@waybill/contract/texts/en';
import { expect, test } from 'vitest';
import { setTexts } from '../platform/texts.ts';
import { StepTimes } from './TrackProgress.tsx';

setTexts(english);

const event = (type: PublicView['events'][number]['type'], at: string) => ({ type, at, location: null });
/** Newest first. */
const events = [
  event('delivery.failed', '2026-11-20T12:22:00.000Z'),
  event('delivery.started', '2026-11-20T10:07:00.000Z'),
  event('package.created', '2026-11-19T13:13:00.000Z'),
];
const drawn = (status: string, from: number) => {
  const view = { status, events: events.slice(from), eta: null, completedAt: null, estimatedDeliveryTime: null };
  return renderToStaticMarkup(<StepTimes view={{ ...view, nextStep: null } as unknown as PublicView} />);
};

test('a package is prepared since it was registered, after a failed attempt since that one', () => {
  expect(drawn('processing', 2)).toContain('since Thu 19 Nov');
  expect(drawn('processing', 0)).toContain('since Fri 20 Nov');
});

test('on the road the first step keeps the time of the registration', () => {
  const steps = drawn('in transit', 1);
  expect(steps).toMatch(/Preparing.*Thu 19 Nov.*In Transit.*since Fri 20 Nov/);
});
