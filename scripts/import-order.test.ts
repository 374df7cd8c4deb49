import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { importFaults } from './import-order.mjs';

function faultsWith(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'waybill-imports-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return importFaults(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test('the product itself breaks no import rule', () => {
  expect(importFaults(join(import.meta.dirname, '..'))).toEqual([]);
});

test.each([
  ['the platform from a slice', 'server/src/platform/database/db.ts', '../../packages/service.ts'],
  ['a slice from a later slice', 'server/src/packages/service.ts', '../deliveries/service.ts'],
  ['a component from a slice', 'web/src/ui/Button.tsx', '../packages/status.ts'],
  ['a slice from the app', 'server/src/users/service.ts', '../app.ts'],
  ["a slice from another's queries", 'server/src/deliveries/service.ts', '../packages/queries.ts'],
  ["a slice from another's partial queries", 'server/src/stats/figure-rows.ts', '../packages/timeline-queries.ts'],
  ['the shell from a page, not lazily', 'web/src/app/Layout.tsx', '../pages/LoginPage.tsx'],
  ['the web from the server', 'web/src/pages/HomePage.tsx', '../../../server/src/users/service.ts'],
  ['the contract from a library', 'contract/src/users.ts', 'pg'],
])('a forbidden import is found: %s', (_what, file, target) => {
  expect(faultsWith({ [file]: `import { x } from '${target}';\n` })).toHaveLength(1);
});

test('names and tables of slices in the platform are found', () => {
  const faults = faultsWith({
    'contract/src/packages.ts': 'export type Package = { id: string };\n',
    'contract/src/errors.ts': 'export type ErrorCode = string;\n',
    'server/migrations/0001.sql': 'create table packages (id uuid);\ncreate table secrets (name text);\n',
    'server/src/platform/http/http.ts': "import type { ErrorCode, Package } from '@waybill/contract';\n",
    'server/src/platform/auth/secrets.ts':
      "db.query('select value from secrets');\ndb.query('update packages set id = $1');\n",
    'server/src/platform/database/migrate.ts': "db.query('select from packages');\n",
    'server/src/platform/database/db.ts':
      "import { AppError } from '../errors.ts';\nimport { bind } from '../http/http.ts';\n",
    'server/src/platform/errors.ts': '',
  });
  expect(faults.toSorted()).toEqual([
    expect.stringContaining('secrets.ts asks for packages'),
    expect.stringContaining('db.ts imports ../http/http.ts: in the platform database stands before http'),
    expect.stringContaining('http.ts imports Package'),
  ]);
});

test('the shell may import a page lazily', () => {
  expect(faultsWith({ 'web/src/app/routes.tsx': "const login = () => import('../pages/LoginPage.tsx');\n" })).toEqual(
    [],
  );
});

test('a cycle of imports, including type imports, is reported once', () => {
  expect(
    faultsWith({
      'server/src/users/service.ts': "import { find } from './accounts.ts';\n",
      'server/src/users/accounts.ts': "import { hash } from './words.ts';\nimport type { User } from './rows.ts';\n",
      'server/src/users/rows.ts': "import type { Found } from './service.ts';\n",
      'server/src/users/words.ts': '',
    }),
  ).toEqual([
    'a circle of imports: server/src/users/accounts.ts -> server/src/users/rows.ts -> server/src/users/service.ts -> server/src/users/accounts.ts',
  ]);
});

test('imports from earlier folders are allowed', () => {
  expect(
    faultsWith({
      'server/src/deliveries/service.ts':
        "import { lockPackage } from '../packages/service.ts';\nimport { db } from '../platform/db.ts';\n",
      'server/src/app.ts': "import { packagesHttp } from './packages/http.ts';\n",
    }),
  ).toEqual([]);
});
