import { expect, test } from 'vitest';
import { applicationPaths, isApplicationPath } from './pages/paths.ts';
import { router } from './routes.tsx';

test('the server knows every page of the application, and no other', () => {
  const known = new Set<string>(Object.values(applicationPaths));
  const routed = Object.keys(router.routesByPath);
  expect(routed.toSorted()).toEqual([...known].toSorted());
  for (const path of known) expect(isApplicationPath(path.replace('$id', 'any')), path).toBe(true);
  for (const path of ['/terms', '/owner', '/owner/package', '/track/a/b', '/logins', '//', '/track/a/'])
    expect(isApplicationPath(path), path).toBe(path === '/track/a/');
});
