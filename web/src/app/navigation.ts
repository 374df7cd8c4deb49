import { pageData } from '../platform/page-data.ts';
import type { Session } from '../platform/session.ts';
import { accessDenial } from '../users/access.ts';
import { legalLinks } from './legal-links.ts';
import { pageList } from './pages.ts';
import type { AdminPageName } from './pages.ts';

export interface NavItem {
  label: string;
  keys?: string | undefined;
  href: string;
}

type Who = Pick<Session, 'user' | 'permissions'>;
type Page = (typeof pageList)[number][1];

/** The pages that somebody may go to from anywhere, their own first. */
export function navItemsFor(who: Who): NavItem[] {
  const own = pageList.flatMap(([, page]) =>
    page.offered && canOpen(page, who)
      ? [{ label: page.offered.label ?? page.title, keys: page.offered.keys, href: page.path }]
      : [],
  );
  return [...own, ...legalLinks(pageData?.apiDocs ?? true)];
}

/** The administrators' pages that somebody may open, in the order of all lists of them. */
export const adminPagesFor = (who: Who) =>
  pageList
    .flatMap(([name, page]) =>
      page.admin && canOpen(page, who) ? [{ name: name as AdminPageName, href: page.path, ...page.admin }] : [],
    )
    .toSorted((one, other) => one.place - other.place);

/** As the guard of its route. */
function canOpen({ for: wanted }: Page, who: Who): boolean {
  if (wanted === 'everybody') return true;
  if (wanted === 'visitors') return who.user === null;
  return accessDenial(who, wanted) === null;
}
