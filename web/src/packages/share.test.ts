import { expect, test } from 'vitest';
import { shareByMail } from './share.ts';

test('the share mail has the name and the absolute link, whatever characters are in the name', () => {
  const mail = new URL(shareByMail({ name: 'Tea & cups?' }, 'https://packages.example/track/PKG-ABCD1234'));
  expect(mail.protocol).toBe('mailto:');
  expect(Object.fromEntries(mail.searchParams)).toEqual({
    subject: 'Follow the delivery of Tea & cups?',
    body: 'Follow the delivery of Tea & cups?:\nhttps://packages.example/track/PKG-ABCD1234',
  });
});
