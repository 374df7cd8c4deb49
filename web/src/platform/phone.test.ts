import { expect, test } from 'vitest';
import { formatPhone } from './phone.ts';

test.each([
  ['+1555010257', '+1 555 010 257'],
  ['+15550102571', '+1 555 010 2571'],
  ['+4915112345678', '+49 151 123 456 78'],
  ['+35312345678', '+353 123 456 78'],
  ['+79161234567', '+7 916 123 4567'],
  ['jane@example.com', 'jane@example.com'],
  ['0151 2345', '0151 2345'],
])('%s reads as %s', (phone, shown) => {
  expect(formatPhone(phone)).toBe(shown);
});
