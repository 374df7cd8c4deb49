import { expect, test } from 'vitest';
import { generateTrackingId, trackingIdPattern } from './packages.ts';

test('generated tracking IDs match the pattern, are unique, and use every character about equally often', () => {
  const ids = new Set(Array.from({ length: 20_000 }, generateTrackingId));
  expect(ids.size).toBe(20_000);
  const counts = new Map<string, number>();
  for (const id of ids) {
    expect(id).toMatch(trackingIdPattern);
    for (const character of id.slice(4)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(36);
  // 4,444 each on average, with a standard deviation of 66: without the rejection of high bytes the first four would be at 5,000.
  expect(Math.min(...counts.values())).toBeGreaterThan(4444 - 500);
  expect(Math.max(...counts.values())).toBeLessThan(4444 + 500);
});
