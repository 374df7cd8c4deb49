import { expect, test } from 'vitest';
import { readDatabaseUrl } from './database-url.ts';

test('a URL with one host is used unchanged, in any form', () => {
  for (const url of [
    'postgres://u:p@h1/db',
    'postgresql://u@localhost:5433/db?host=%2Frun%2Fpostgresql&sslmode=require',
    'postgres://[::1]:5432/db',
  ])
    expect(readDatabaseUrl(url)).toEqual({ connectionString: url });
});

test.each([
  [
    'postgres://u:p,%40@h1:5432,h2:5433/db?target_session_attrs=read-write&sslmode=require',
    'postgres://u:p,%40@h1:5432/db?sslmode=require',
    [
      { host: 'h1', port: 5432 },
      { host: 'h2', port: 5433 },
    ],
  ],
  [
    'postgresql://u@[2001:db8::1]:5433,[2001:db8::2],10.0.0.3/db?target_session_attrs=primary',
    'postgresql://u@[2001:db8::1]:5433/db?',
    [
      { host: '2001:db8::1', port: 5433 },
      { host: '2001:db8::2', port: 5432 },
      { host: '10.0.0.3', port: 5432 },
    ],
  ],
])('a URL with several hosts is split into them: %s', (url, connectionString, hosts) => {
  expect(readDatabaseUrl(url)).toEqual({ connectionString, hosts });
});

test.each([
  ['mysql://h/db', 'must be a postgres:// address'],
  ['postgres://h1,,h2/db', 'must be a postgres:// address'],
  ['postgres://h1:many,h2/db', 'must be a postgres:// address'],
  ['postgres://h1,h2/db?target_session_attrs=standby', expect.stringContaining('takes writes')],
  ['postgres://u@h/db?host=h1,h2', expect.stringContaining('host1:5432,host2:5432')],
])('%s is refused with an error message', (url, fault) => {
  expect(readDatabaseUrl(url)).toEqual(fault);
});
