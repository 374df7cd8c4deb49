import { effectivePermissions } from '@waybill/contract';
import type { Organisation, Role } from '@waybill/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { texts as english } from '@waybill/contract/texts/en';
import { expect, test } from 'vitest';
import { setTexts } from '../platform/texts.ts';
import { adminPagesFor, navItemsFor } from './navigation.ts';
import { PageFrame } from './PageFrame.tsx';
import { pageList } from './pages.ts';

const as = (role: Role) => {
  const user = { name: 'Ada', email: 'ada@example.com', role, status: 'active', mustChangePassword: false };
  const permissions = effectivePermissions({ role, status: 'active', permissions: null, customRolePermissions: null });
  return { user: { ...user, permissionsInForce: permissions }, permissions } as unknown as Parameters<
    typeof navItemsFor
  >[0];
};
setTexts(english);

const organisation = { name: 'Waybill', logo: null, timeZone: 'UTC' } as unknown as Organisation;

test.each([null, 'owner', 'driver', 'admin'] as const)(
  'header and footer link only to pages that role %s can open',
  (role) => {
    const who = role === null ? { user: null, permissions: [] } : as(role);
    const html = renderToStaticMarkup(
      <PageFrame organisation={organisation} apiDocs languages={[]} user={who.user} path="/" onLogout={() => {}}>
        {null}
      </PageFrame>,
    );
    const links = [...html.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, href]) => href);
    expect(links.length).toBeGreaterThan(8);
    const offered = navItemsFor(who).map(({ href }) => href);
    for (const href of links) expect(offered).toContain(href);
  },
);

test('the administrators’ pages have consecutive positions in their navigation', () => {
  const row = pageList.flatMap(([, { admin }]) => admin?.position ?? []).toSorted((one, other) => one - other);
  expect(row).toEqual(row.map((_position, index) => index + 1));
  expect(adminPagesFor(as('admin')).map(({ label }) => label)).toEqual([
    'Board',
    'Dispatch',
    'Inventory',
    'Schedule',
    'Messages',
    'Reports',
    'Users',
    'Outbox',
    'Audit Log',
    'Settings',
  ]);
});
