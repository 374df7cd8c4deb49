import { expect, test } from 'vitest';
import { CreatePackageInput } from './packages.ts';
import { RegisterInput } from './users.ts';

const errorsOf = (name: string) =>
  RegisterInput.safeParse({ name, email: 'a@example.com', password: 'correct horse', role: 'owner' }).error?.issues.map(
    ({ message }) => message,
  ) ?? [];

test.each(['202a', '202b', '202c', '202d', '202e', '2066', '2067', '2068', '2069', '200b', '2060', 'feff', '00ad'])(
  'U+%s is invisible and makes one name look like another: a name with it is rejected with a message',
  (code) => {
    const character = String.fromCodePoint(parseInt(code, 16));
    expect(errorsOf(`Admin${character}txt.exe`)).toEqual(['Name contains invisible characters that are not allowed']);
    const description = `First line\nand a ${character} second`;
    expect(CreatePackageInput.shape.description.safeParse(description).success).toBe(false);
  },
);

test('characters that scripts need are accepted: joiners of Persian and Indic words and of emoji, and directional marks', () => {
  for (const name of [
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    '\u0915\u094d\u200d\u0937',
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    'Anna \u200eBerg',
  ])
    expect([name, errorsOf(name)]).toEqual([name, []]);
});
