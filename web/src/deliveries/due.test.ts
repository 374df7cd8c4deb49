import { expect, test } from 'vitest';
import { texts } from '@waybill/contract/texts/en';
import { dueState, dueText } from './due.ts';
import { setDriverTexts } from './texts.ts';

setDriverTexts(texts.driver);

const now = new Date(2026, 10, 24, 14, 0);
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).toISOString();
const times = (window: [string, string] | null, estimatedDeliveryTime: string | null = null) => ({
  window: window && { from: window[0], to: window[1] },
  estimatedDeliveryTime,
});

test.each([
  ['a window today', times([at(24, 14, 10), at(24, 14, 35)]), '14:10 – 14:35', 'in 10 min'],
  ['the window that is open', times([at(24, 13), at(24, 14, 20)]), '13:00 – 14:20', '20 min left'],
  ['a window tomorrow', times([at(25, 9), at(25, 12)]), 'Wed 09:00 – 12:00', 'in 19 h'],
  ['a window over midnight', times([at(24, 23), at(25, 1)]), '23:00 – Wed 01:00', 'in 9 h'],
  ['a window in two weeks', times([at(30, 9), at(30, 12)]), 'Mon 09:00 – 12:00', null],
  ['a forecast today', times(null, at(24, 17, 33)), 'by 17:33', 'in 4 h'],
  ['a forecast that passed', times(null, at(24, 13, 55)), 'by 13:55', '5 min late'],
  ['one of yesterday', times(null, at(23, 13)), 'by Mon 13:00', 'late'],
  ['one of last month', times(null, new Date(2026, 9, 2, 13).toISOString()), 'by 2 Oct 13:00', 'late'],
  ['none', times(null), null, null],
])('%s', (_name, delivery, text, state) => {
  expect([dueText(delivery, now), dueState(delivery, now)?.text ?? null]).toEqual([text, state]);
});
