import { pageData } from '../platform/page-data.ts';
import { accessDenial } from '../users/access.ts';
import { legalLinks } from './legal-links.ts';
import { pageAt, pageList } from './pages.ts';
import type { AdminPageName } from './pages.ts';

export interface NavItem {
  label: string;
  /** As the administrators' sidebar says it. */
  short?: string | undefined;
  keys?: string | undefined;
  href: string;
}

type Who = Parameters<typeof accessDenial>[0];
type Page = (typeof pageList)[number][1];

/** The pages that the user can open from anywhere; those of the application come before those of the server. */
export function navItemsFor(who: Who): NavItem[] {
  const appPages = pageList.flatMap(([, page]) =>
    page.offered && canOpen(page, who)
      ? [
          {
            label: page.offered.label ?? page.title,
            short: page.admin?.label,
            keys: page.offered.keys,
            href: page.path,
          },
        ]
      : [],
  );
  return [...appPages, ...legalLinks(pageData?.apiDocs ?? true)];
}

/** The administrators' pages that the user can open, in navigation order. */
export const adminPagesFor = (who: Who) =>
  pageList
    .flatMap(([name, page]) =>
      page.admin && canOpen(page, who) ? [{ name: name as AdminPageName, href: page.path, ...page.admin }] : [],
    )
    .toSorted((one, other) => one.position - other.position);

/** Whether the user can open what a link leads to. */
export function mayOpen(href: string, who: Who): boolean {
  const page = pageAt(href.replace(/\?.*/, ''));
  return page !== undefined && canOpen(page, who);
}

/** The same check as the route's guard. */
function canOpen({ for: audience }: Pick<Page, 'for'>, who: Who): boolean {
  if (audience === 'everybody') return true;
  if (audience === 'visitors') return who.user === null;
  return accessDenial(who, audience) === null;
}
