import { expect, test } from 'vitest';
import { isApplicationPath, pageList } from './pages.ts';
import { router } from './routes.tsx';

test('the server knows every page of the application, and no other', () => {
  const known = new Set<string>(pageList.map(([, { path }]) => path));
  const routed = Object.keys(router.routesByPath);
  expect(routed.toSorted()).toEqual([...known].toSorted());
  for (const path of known) expect(isApplicationPath(path.replace('$id', 'any')), path).toBe(true);
  for (const path of ['/terms', '/owner', '/owner/package', '/track/a/b', '/logins', '//', '/track/a/'])
    expect(isApplicationPath(path), path).toBe(path === '/track/a/');
});
