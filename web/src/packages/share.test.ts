import { expect, test } from 'vitest';
import { shareByMail } from './share.ts';

test('a mail to pass a package on carries its name and the whole link, whatever stands in the name', () => {
  const mail = new URL(shareByMail({ name: 'Tea & cups?' }, 'https://packages.example/track/PKG-ABCD1234'));
  expect(mail.protocol).toBe('mailto:');
  expect(Object.fromEntries(mail.searchParams)).toEqual({
    subject: 'Follow the delivery of Tea & cups?',
    body: 'Follow the delivery of Tea & cups?:\nhttps://packages.example/track/PKG-ABCD1234',
  });
});
