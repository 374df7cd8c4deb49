import { expect, test } from 'vitest';
import { isApplicationPath, pageList } from './pages.ts';
import { router } from './routes.tsx';

test('the table of pages and the router have the same paths, and the server recognises exactly these', () => {
  const paths = new Set<string>(pageList.map(([, { path }]) => path));
  const routed = Object.keys(router.routesByPath);
  expect(routed.toSorted()).toEqual([...paths].toSorted());
  for (const path of paths) expect(isApplicationPath(path.replace('$id', 'any')), path).toBe(true);
  for (const path of ['/terms', '/owner', '/owner/package', '/track/a/b', '/logins', '//', '/track/a/'])
    expect(isApplicationPath(path), path).toBe(path === '/track/a/');
});
