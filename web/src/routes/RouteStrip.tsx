import { useLayoutEffect, useRef, useState } from 'react';
import { classes } from '../ui/classes.ts';
import { formatCountOf } from '../platform/formats.ts';
import { endOf, minutesOver, openStops, shiftOf, timeIn } from './plan.ts';
import type { Planning } from './planning.ts';

/** All routes of the day in one row, where not all columns are in sight: each a link to its column, and a place to drop. */
export function RouteStrip({ routes, shifts, depot, nameOf, drag: { dragging } }: Planning) {
  const strip = useRef<HTMLElement>(null);
  const [isNeeded, setNeeded] = useState(false);
  useLayoutEffect(() => {
    const box = strip.current?.parentElement?.querySelector('[data-columns]');
    const row = box?.firstElementChild;
    if (!box || !row) return;
    const measure = () => {
      // 'Add route' behind them may be out of sight.
      const end = row.querySelector(':scope > section:last-of-type')?.getBoundingClientRect().right ?? 0;
      setNeeded(end - row.getBoundingClientRect().left > box.clientWidth + 1);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    observer.observe(row);
    return () => observer.disconnect();
  }, []);
  return (
    <nav
      ref={strip}
      hidden={!isNeeded}
      aria-label="All routes"
      className="flex shrink-0 overflow-x-auto border-b border-line [scrollbar-width:thin]"
    >
      {routes.map((route) => {
        const end = endOf(route);
        const late = minutesOver(route, shiftOf(route, shifts, depot)) > 0;
        return (
          <a
            key={route.id}
            href={`#route-${route.id}`}
            data-route={route.id}
            data-end=""
            draggable={false}
            onClick={(event) => {
              event.preventDefault();
              document.getElementById(`route-${route.id}`)?.scrollIntoView({ inline: 'start', block: 'nearest' });
            }}
            className={classes(
              'flex min-h-11 max-w-54 min-w-20 grow flex-col items-center justify-center border-r border-line px-2 text-meta hover:bg-sunken focus-visible:-outline-offset-2',
              dragging?.over?.routeId === route.id && 'bg-brand-soft outline-2 -outline-offset-2 outline-brand',
            )}
          >
            <span className="max-w-24 truncate font-semibold text-ink">{nameOf(route.driverId).split(' ')[0]}</span>
            <span className={classes('figures', late ? 'font-semibold text-danger' : 'text-ink-3')}>
              {end ? timeIn(depot.timeZone, end) : formatCountOf(openStops(route).length, 'stop')}
            </span>
          </a>
        );
      })}
    </nav>
  );
}
