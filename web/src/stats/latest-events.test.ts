import type { LatestEvent } from '@waybill/contract';
import { expect, test } from 'vitest';
import { bundle } from './latest-events.ts';

test('packages that somebody registered one after another are one entry', () => {
  const event = (id: string, type: LatestEvent['type'], actor: string) => ({ id, type, actor }) as LatestEvent;
  const events = [
    event('5', 'package.created', 'Olga'),
    event('4', 'package.created', 'Olga'),
    event('3', 'package.created', 'Kwame'),
    event('2', 'delivery.started', 'Dan'),
    event('1', 'delivery.started', 'Dan'),
  ];
  expect(bundle(events).map(({ event: { id }, count }) => [id, count])).toEqual([
    ['5', 2],
    ['3', 1],
    ['2', 1],
    ['1', 1],
  ]);
});
