import { expect, test } from 'vitest';
import { PackageEventType } from '@waybill/contract';
import { toneOfEvent } from './event-tones.ts';

test('events have the colour of what they led to', () => {
  const tones = Object.groupBy(PackageEventType.options, toneOfEvent);
  expect(tones.green?.toSorted()).toEqual(['delivery.completed', 'incident.resolved', 'package.collected']);
  expect(tones.red).toEqual(
    expect.arrayContaining(['delivery.failed', 'package.cancelled', 'issue.reported', 'package.pin-locked']),
  );
  expect(tones.yellow).toEqual(expect.arrayContaining(['package.created', 'delivery.released', 'package.rated']));
  expect(tones.blue).toEqual(expect.arrayContaining(['delivery.started', 'delivery.next', 'package.pin-released']));
  expect(tones.purple).toBeUndefined();
});
