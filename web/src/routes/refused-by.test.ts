import { expect, test } from 'vitest';
import { refusedBy } from './refused-by.ts';

const routeOf = (id: string) => ({ id, day: '2026-03-09', depotId: 'depot', driver: 'Dana' });
const refused = (packageId: string, routeId?: string) => ({
  packageId,
  code: 'on_other_route' as const,
  message: routeId ? 'On another route' : 'Gone',
  ...(routeId && { route: routeOf(routeId) }),
});

test('what was refused is counted by reason and by the route that has it, the most first', () => {
  const all = [refused('1', 'a'), refused('2', 'b'), refused('3'), refused('4', 'b')];
  expect(refusedBy(all)).toEqual([
    {
      message: 'On another route',
      count: 3,
      routes: [
        { route: routeOf('b'), count: 2 },
        { route: routeOf('a'), count: 1 },
      ],
    },
    { message: 'Gone', count: 1, routes: [] },
  ]);
});
