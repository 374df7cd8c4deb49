import { expect, test } from 'vitest';
import { isSigned, signatureOf, type Ticket } from './signatures.ts';

const now = () => new Date('2026-05-05T10:00:00Z');
const signer = { urlKey: Buffer.from('a key'), now };
const expires = now().getTime() / 1000 + 60;

test('a signature is valid only for its purpose, path, expiry, terms and key', () => {
  const ticket: Ticket = { purpose: 'upload', path: 'incoming/a.jpg', expires, terms: ['image/jpeg', '5'] };
  const signature = signatureOf(signer, ticket);
  expect(isSigned(signer, ticket, signature)).toBe(true);
  const others: Ticket[] = [
    { ...ticket, purpose: 'read' },
    { ...ticket, path: 'incoming/b.jpg' },
    { ...ticket, expires: expires + 1 },
    { ...ticket, terms: ['image/png', '5'] },
    { ...ticket, terms: ['image/jpeg'] },
  ];
  for (const other of others) expect([other, isSigned(signer, other, signature)]).toEqual([other, false]);
  expect(isSigned({ urlKey: Buffer.from('another'), now }, ticket, signature)).toBe(false);
  expect(isSigned({ ...signer, now: () => new Date(expires * 1000) }, ticket, signature)).toBe(false);
});
