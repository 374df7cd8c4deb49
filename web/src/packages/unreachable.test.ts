import { expect, test } from 'vitest';
import { unreachableOf } from './unreachable.ts';

const made = { type: 'package.created', changes: null } as const;
const mailBack = { type: 'package.unreachable', changes: null } as const;
const textBack = { type: 'package.number-unreachable', changes: null } as const;
const edited = (field: string) =>
  ({ type: 'package.updated', changes: { [field]: { from: 'before', to: 'after' } } }) as const;

test.each([
  ['nothing came back', [made], []],
  ['mails came back', [mailBack, made], ['recipientEmail']],
  [
    'both came back, and something else was changed',
    [edited('eta'), textBack, mailBack, made],
    ['recipientPhone', 'recipientEmail'],
  ],
  ['the address was corrected', [edited('recipientEmail'), textBack, mailBack, made], ['recipientPhone']],
  ['it does not work either', [mailBack, edited('recipientEmail'), mailBack, made], ['recipientEmail']],
])('%s', (_name, events, addresses) => {
  expect([...unreachableOf(events)]).toEqual(addresses);
});
