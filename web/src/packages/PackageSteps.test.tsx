import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PackageSteps } from './PackageSteps.tsx';

const times = { createdAt: '2026-11-20T08:00:00.000Z', completedAt: null };
/** How many steps have a time. */
const timesIn = (html: string) => html.split('<time').length - 1;

test('a cancelled package shows how far it came, and no present step', () => {
  const early = renderToStaticMarkup(<PackageSteps pkg={{ ...times, status: 'cancelled', startTime: null }} />);
  expect(timesIn(early)).toBe(1);
  expect(early).not.toContain('aria-current');
  const late = renderToStaticMarkup(
    <PackageSteps pkg={{ ...times, status: 'cancelled', startTime: '2026-11-21T08:00:00.000Z' }} />,
  );
  expect(timesIn(late)).toBe(2);
  const underway = renderToStaticMarkup(
    <PackageSteps pkg={{ ...times, status: 'in transit', startTime: '2026-11-21T08:00:00.000Z' }} />,
  );
  expect(underway.match(/aria-current/g)).toHaveLength(1);
});
