import { expect, test } from 'vitest';
import { describeChanges } from './change-texts.ts';

test('old and new values are formatted; a redacted field only shows that it changed', () => {
  const address = { street: 'Wrong street 1', postalCode: null, city: 'Riverton', country: null };
  expect(
    describeChanges({
      address: { from: address, to: { ...address, street: 'Right street 2', postalCode: '4711' } },
      eta: { from: null, to: '2026-11-24' },
      hideRecipient: { from: false, to: true },
      recipientName: { from: null, to: null },
      images: { from: 1, to: 0 },
    }),
  ).toEqual([
    { field: 'Address', from: 'Wrong street 1, Riverton', to: 'Right street 2, 4711 Riverton' },
    { field: 'Estimated Arrival', from: 'none', to: '24/11/2026' },
    { field: 'Recipient hidden on the public page', from: 'no', to: 'yes' },
    { field: 'Recipient', from: null, to: 'none' },
    { field: 'Images', from: '1', to: '0' },
  ]);
});
