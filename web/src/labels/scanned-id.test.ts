import { expect, test } from 'vitest';
import { scannedId, typedId } from './scanned-id.ts';

test('a label is known by its link or its ID, and nothing else is taken for one', () => {
  const id = 'PKG-7RTTSKYM';
  for (const code of [
    id,
    ' pkg-7rttskym\n',
    `https://waybill.example.com/track/${id}`,
    `https://waybill.example.com/track/${id}#c2VjcmV0LW9mLXRoZS1saW5r`,
    `http://10.0.0.7:3000/track/${id.toLowerCase()}/?lang=de`,
    `HTTPS://WAYBILL.EXAMPLE.COM/TRACK/${id}`,
  ])
    expect([code, scannedId(code)]).toEqual([code, id]);
  for (const code of [
    '4006381333931',
    '7RTTSKYM',
    'PKG-7RTTSKY',
    `${id}9`,
    `https://example.com/${id}`,
    'https://example.com/track/',
    `https://example.com/?next=/track/${id}`,
    '',
  ])
    expect([code, scannedId(code)]).toEqual([code, null]);
  expect(['7rttskym', id, '7RTT'].map(typedId)).toEqual([id, id, null]);
});
