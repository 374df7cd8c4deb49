import type { PerformanceDay } from '@waybill/contract';
import { expect, test } from 'vitest';
import { csvOfDays } from './figures-csv.ts';

test('each day is a line of rounded figures, with missing ones empty', () => {
  const day: PerformanceDay = {
    day: '2026-03-01',
    created: 4,
    started: 3,
    completed: 2,
    onTime: 1,
    late: 1,
    failed: 0,
    firstAttempts: 2,
    averageDeliveryTime: 193.78896666666665,
    successRate: 200 / 3,
    onTimeRate: 50,
    firstAttemptSuccess: null,
    issuesOpened: 1,
    issuesResolved: 0,
    ratings: 0,
    satisfaction: null,
  };
  expect(csvOfDays([day]).split('\r\n')).toEqual([
    'day,created,started,completed,onTime,late,failed,successRate,onTimeRate,firstAttemptSuccess,averageDeliveryTime,issuesOpened,issuesResolved,ratings,satisfaction',
    '2026-03-01,4,3,2,1,1,0,66.67,50,,193.79,1,0,0,',
    '',
  ]);
});
