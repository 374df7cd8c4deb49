import { useRouterState } from '@tanstack/react-router';
import { useSession } from '../platform/session.ts';
import { classes } from '../ui/classes.ts';
import { AdminIcon } from './AdminIcon.tsx';
import { adminPagesFor } from './navigation.ts';

/** Navigation between the administrators' pages. On a phone the row scrolls sideways, with the current page in view. */
export function AdminNav() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <nav
      aria-label="Administration"
      className="print:hidden -mx-4 mb-5 overflow-x-auto px-4 [scrollbar-width:none] md:-mx-3 md:px-0"
    >
      <ul className="flex min-w-max gap-1">
        {adminPagesFor(useSession()).map(({ name, href, label }) => (
          <li key={name}>
            <a
              href={href}
              aria-current={href === path ? 'page' : undefined}
              ref={href === path ? scrollIntoRow : undefined}
              className={classes(
                'flex min-h-11 items-center gap-2 rounded-control px-3 text-ui font-medium whitespace-nowrap transition-colors focus-visible:-outline-offset-2',
                href === path ? 'bg-brand-soft text-brand' : 'text-ink-2 hover:bg-sunken hover:text-ink',
              )}
            >
              <AdminIcon page={name} className="size-4" />
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function scrollIntoRow(link: HTMLElement | null): void {
  const row = link?.closest('nav');
  if (link && row) row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
}
